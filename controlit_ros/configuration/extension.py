"""Entries that come to a configuration, or leave it, when it is in use already."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from controlit_ros.configuration.configuration import TEXT_SOURCE, Configuration
from controlit_ros.configuration.cross_checks import check_across
from controlit_ros.configuration.location import KeyPath, Location, Origin
from controlit_ros.configuration.postures import GOAL, name_postures
from controlit_ros.configuration.problem import ConfigurationError, Problem
from controlit_ros.configuration.problem_collector import ProblemCollector
from controlit_ros.configuration.sections import LISTINGS, NAMED
from controlit_ros.configuration.validation import validate
from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.errors import show

_ENTRY = re.compile(r"^\w+\[\d+\]\.?")
"""What a path begins with that leads to an entry."""


class Extension(NamedTuple):
    """A configuration with one entry more.

    Attributes:
        configuration: All of it.
        section: Where the entry is.
        number: Of the entry in its section.
        origin: Where the keys of the entry stand in its own text.
    """

    configuration: Configuration
    section: str
    number: int
    origin: Origin

    @classmethod
    def of(cls, configuration: Configuration, section: str) -> "Extension":
        """Return what a configuration is whose last entry of a section is new."""
        number = len(getattr(configuration, section)) - 1
        return cls(configuration, section, number, Origin(TEXT_SOURCE, {}))

    @property
    def entries(self) -> dict[str, Any]:
        """The new entries by section: what declares a part, and how that takes part."""
        return {key: getattr(self.configuration, key)[-1] for key in sections_of(self.section)}

    def collector(self) -> ProblemCollector:
        """Return a collector of problems found while building the entry."""
        return ProblemCollector(self.origin)

    def raise_if_any(self, collector: ProblemCollector) -> None:
        """Raise problems with the places they have in the text of the entry.

        Raises:
            ConfigurationError: There are some.
        """
        if collector.problems:
            problems = [
                problem._replace(path=_ENTRY.sub("", problem.path))
                for problem in collector.problems
            ]
            raise ConfigurationError(TEXT_SOURCE, problems)


def extended(
    configuration: Configuration, section: str, text: str, part: Mapping[str, Any]
) -> Extension:
    """Return a configuration with an entry more, checked as the loader checks a file.

    Args:
        configuration: Without it.
        section: Where it belongs: `tasks`, `events`.
        text: The entry as it stands in a file, with or without the `-` of the list.
        part: How it takes part, what stands in `compound_task` for a task.

    Raises:
        ConfigurationError: The entry cannot be used; lines and columns are those of its text.
    """
    number = len(getattr(configuration, section))
    entry, locations = _read(text, (section, number))
    name = entry.get("name")
    data = configuration.model_dump(mode="json")
    data[section].append(entry)
    if section in LISTINGS:
        data[LISTINGS[section]].append({"name": name, **part})
    extension = Extension(configuration, section, number, Origin(TEXT_SOURCE, locations))
    collector = extension.collector()
    _check_name(configuration, name, (section, number, "name"), collector)
    valid = None
    if not collector.problems:
        if isinstance(entry.get(GOAL), str):
            robot = configuration.read_robot_description()
            name_postures(data, robot, configuration.folder, collector)
        valid = validate(data, collector)
        check_across(data, collector)
    extension.raise_if_any(collector)
    assert valid is not None  # or there is a problem
    more = {
        key: (*getattr(configuration, key), getattr(valid, key)[-1]) for key in sections_of(section)
    }
    return extension._replace(configuration=configuration.model_copy(update=more))


def reduced(configuration: Configuration, section: str, name: str) -> Configuration:
    """Return a configuration without an entry, and without what ties it to topics."""
    less = {
        key: tuple(entry for entry in getattr(configuration, key) if entry.name != name)
        for key in sections_of(section)
    }
    less["bindings"] = tuple(
        entry for entry in configuration.bindings if entry.parameter.partition(".")[0] != name
    )
    return configuration.model_copy(update=less)


def sections_of(section: str) -> tuple[str, ...]:
    """Return where the entries of a part stand: where it is declared, and how it takes part."""
    return (section, LISTINGS[section]) if section in LISTINGS else (section,)


def _read(text: str, path: KeyPath) -> tuple[dict[str, Any], dict[KeyPath, Location]]:
    """Return an entry and where its keys stand, as if its text were at a path of a file."""
    document = read_yaml(text)
    data = document.data
    inside: KeyPath = ()
    if isinstance(data, list) and len(data) == 1:
        data, inside = data[0], (0,)
    problems = document.problems
    if not problems and not isinstance(data, dict):
        found = "nothing" if data is None else show(data)
        problems = [Problem(1, 1, "", f"found {found}, expected one entry: a map with a name")]
    if problems:
        raise ConfigurationError(TEXT_SOURCE, problems)
    locations = {
        (*path, *where[len(inside) :]): location for where, location in document.locations.items()
    }
    locations.setdefault(path, Location(1, 1))
    return data, locations


def _check_name(
    configuration: Configuration, name: object, path: KeyPath, collector: ProblemCollector
) -> None:
    for section in NAMED:
        if any(entry.name == name for entry in getattr(configuration, section)):
            collector.add(path, f"the name {name!r} is taken by one of the {section}")
