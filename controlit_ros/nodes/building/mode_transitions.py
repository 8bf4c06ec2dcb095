"""Transitions between modes: what the section `modes` says of them, compiled and checked."""

from collections.abc import Mapping

from controlit_ros.configuration import KeyPath
from controlit_ros.configuration.entries import ModeTransitionEntry
from controlit_ros.errors import ControlItError
from controlit_ros.modes import (
    ModeTransition,
)
from controlit_ros.nodes.building.mode_compiler import SECTION
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.parameters import Expression, ParameterDirectory

ANY = "any"


def mode_transitions(
    builder: SectionBuilder, names: list[str], directory: ParameterDirectory
) -> list[ModeTransition]:
    """Return the transitions of the file; what is wrong with them is among the builder's problems.

    Args:
        builder: Of the configuration.
        names: Of the modes, in the order of the file.
        directory: All parameters, for guards.
    """
    section = builder.configuration.modes
    assert section is not None
    found: dict[tuple[str, str, bool], ModeTransition] = {}
    general: dict[tuple[str, str, bool], ModeTransition] = {}
    for i, entry in enumerate(section.transitions):
        path: KeyPath = (SECTION, "transitions", i)
        for way in _ways(builder, entry, names, directory, path):
            key = (way.source, way.target, way.automatic)
            places = general if ANY in entry.out_of else found
            if key in places:
                text = f"repeats the transition from {way.source} to {way.target}"
                builder.problems.add(path, text)
            places[key] = way
    found = general | found
    for way in found.values():
        _check_legs(builder, way, found)
    return list(found.values())


def _ways(
    builder: SectionBuilder,
    entry: ModeTransitionEntry,
    names: list[str],
    directory: ParameterDirectory,
    path: KeyPath,
) -> list[ModeTransition]:
    """Return the transitions of one entry."""
    is_known = builder.is_known(entry.into, names, "mode", (*path, "into"))
    sources = [name for name in names if name != entry.into]
    if ANY not in entry.out_of:
        sources = [n for n in entry.out_of if builder.is_known(n, names, "mode", path)]
    if entry.through is not None:
        builder.is_known(entry.through, names, "mode", (*path, "through"))
    guard = None
    if entry.when is not None:
        guard = _guard(builder, entry.when, directory, (*path, "when"))
    _check_entry(builder, entry, sources, path)
    if not is_known:
        return []
    return [
        ModeTransition(
            source,
            entry.into,
            guard,
            entry.hold,
            entry.after,
            entry.wait,
            entry.automatic,
            entry.through or "",
        )
        for source in sources
    ]


def _guard(
    builder: SectionBuilder, text: str, directory: ParameterDirectory, path: KeyPath
) -> Expression | None:
    try:
        guard = Expression(text, directory)
    except ControlItError as error:
        if builder.unbuilt.isdisjoint(word.partition(".")[0] for word in text.split()):
            builder.problems.add(path, str(error))
        return None
    if not guard.is_condition:
        builder.problems.add(path, f"found a number, {text}, expected a condition, as in x < 0.005")
    return guard


def _check_entry(
    builder: SectionBuilder, entry: ModeTransitionEntry, sources: list[str], path: KeyPath
) -> None:
    """Note what contradicts itself in one entry."""
    add = builder.problems.add
    if entry.into in sources:
        add(path, f"leads from {entry.into} to itself, expected another mode")
    if entry.hold and entry.when is None:
        add((*path, "hold"), "found hold without when, expected a condition that holds so long")
    if entry.automatic and entry.when is None and not entry.after:
        add((*path, "automatic"), "found true, expected when or after beside it")
    if entry.automatic and (entry.through or entry.wait):
        add((*path, "automatic"), "found beside through or wait, which are for requests")
    if entry.through and (entry.when or entry.after or entry.wait):
        text = "found beside when, after or wait: expected them at the transitions it goes through"
        add((*path, "through"), text)


def _check_legs(
    builder: SectionBuilder,
    way: ModeTransition,
    found: Mapping[tuple[str, str, bool], ModeTransition],
) -> None:
    """Note a way through another mode that has no way there, or none from there."""
    if not way.through:
        return
    for source, target in ((way.source, way.through), (way.through, way.target)):
        leg = found.get((source, target, False))
        if leg is None or leg.through:
            text = (
                f"from {way.source} to {way.target} through {way.through}: there is no direct "
                f"transition from {source} to {target}"
            )
            builder.problems.add((SECTION, "transitions"), text)
