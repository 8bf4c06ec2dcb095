"""Modes: what the section `modes` says, compiled and checked."""

from collections.abc import Sequence

from controlit_ros.modes import ModeGraph, ModeParameters, Modes
from controlit_ros.modes.newcomers import Newcomers
from controlit_ros.nodes.building.control_parts import ControlParts
from controlit_ros.nodes.building.mode_compiler import SECTION, ModeCompiler
from controlit_ros.nodes.building.mode_transitions import ANY, mode_transitions
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.parameters import ParameterDirectory
from controlit_ros.servo.behaviour import Behaviour


def build_mode_parameters(builder: SectionBuilder, *, is_floating: bool) -> ModeParameters | None:
    """Return how modes are seen; `None`: the file has none, or none that are in order by name.

    Args:
        builder: Of the configuration.
        is_floating: Whether the robot has a base that can tilt and fall.
    """
    section = builder.configuration.modes
    if section is None:
        return None
    names = [entry.name for entry in section.states]
    before = len(builder.problems.problems)
    for i, name in enumerate(names):
        if name in names[:i] or name == ANY:
            text = f"{name!r} is taken" if name != ANY else f"{ANY!r} stands for all modes"
            builder.problems.add((SECTION, "states", i, "name"), text)
    builder.is_known(section.initial, names, "mode", (SECTION, "initial"))
    if not names or len(builder.problems.problems) > before:
        return None
    return ModeParameters(names, section.initial, is_floating=is_floating)


def build_modes(
    builder: SectionBuilder,
    parts: ControlParts,
    directory: ParameterDirectory,
    reflection: ModeParameters | None,
    behaviours: Sequence[Behaviour],
) -> Modes | None:
    """Return the modes of the file; what is wrong with them is among the builder's problems.

    Args:
        builder: Of the configuration.
        parts: What modes switch.
        directory: All parameters.
        reflection: How they are seen; `None`: there are none.
        behaviours: Those of the file.
    """
    section = builder.configuration.modes
    if section is None or reflection is None:
        return None
    before = len(builder.problems.problems)
    compiler = ModeCompiler(builder, parts, directory, behaviours)
    modes = {entry.name: compiler.mode(i, entry) for i, entry in enumerate(section.states)}
    transitions = mode_transitions(builder, list(modes), directory)
    graph = ModeGraph(list(modes), section.initial, transitions)
    _check_graph(builder, graph)
    if len(builder.problems.problems) > before:
        return None
    goals = {task.name: task.goal for task in parts.tasks.tasks}
    needed = frozenset(compiler.needed(transitions))
    return Modes(reflection, graph, modes, goals, needed, Newcomers(compiler.governed))


def _check_graph(builder: SectionBuilder, graph: ModeGraph) -> None:
    reachable = graph.reachable()
    for i, name in enumerate(graph.names):
        if name not in reachable:
            text = f"no transitions lead from {graph.initial} to {name}, expected some"
            builder.problems.add((SECTION, "states", i), text)
