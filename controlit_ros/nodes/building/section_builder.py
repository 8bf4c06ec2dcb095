"""SectionBuilder: makes the parts that sections of a configuration describe."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, final

from controlit_ros.configuration import (
    Configuration,
    KeyPath,
    PluginKind,
    ProblemCollector,
    load_plugin,
)
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.parameters import ParameterReflection
from controlit_ros.tasks import Task

_Part = TypeVar("_Part")

SIMULATOR = "MuJoCo"
"""The robot interface whose parameters stand in the section `simulator`."""


@final
class SectionBuilder:
    """Makes parts, sets their parameters, and collects problems instead of stopping at the first.

    Args:
        configuration: What describes the parts.
        problems: Takes what is wrong with it; by default a collector of its own.

    Attributes:
        configuration: The same.
        problems: What is wrong with it.
        unbuilt: Owners whose parameters are not known, since they could not be built.
    """

    def __init__(
        self, configuration: Configuration, problems: ProblemCollector | None = None
    ) -> None:
        self.configuration = configuration
        self.problems = configuration.collector() if problems is None else problems
        self.unbuilt: set[str] = set()

    def create(self, kind: PluginKind, name: str, path: KeyPath, *arguments: Any) -> Any:
        """Return a new part; `None` if its type or its constructor fails."""
        try:
            return load_plugin(kind, name)(*arguments)
        except ControlItError as error:
            self.problems.add(path, str(error))
        except Exception as error:  # noqa: BLE001 - a third party's constructor may fail in any way
            self.problems.add(path, f"{name} cannot be built: {type(error).__name__}: {error}")
        return None

    def fill(self, owner: ParameterReflection, values: Mapping[str, Any], path: KeyPath) -> bool:
        """Set parameters; return whether all fitted."""
        before = len(self.problems.problems)
        for key, value in values.items():
            where = (*path, key)
            if key in ("priority", "operational_state"):
                section = "compound_task" if isinstance(owner, Task) else "constraint_set"
                self.problems.add(where, f"{key} of {owner.name!r} belongs into {section}")
                continue
            try:
                owner.parameter(key).set(value)
            except ControlItError as error:
                self.problems.add(where, str(error))
        return len(self.problems.problems) == before

    def is_known(self, name: str, known: Sequence[str], what: str, path: KeyPath) -> bool:
        """Return whether a name is among those that are known; note the nearest if not."""
        if name in known:
            return True
        self.problems.add(path, f"unknown {what} {name!r}{did_you_mean(name, known)}")
        return False

    def configure(self, owner: Any, path: KeyPath, *arguments: Any) -> bool:
        """Let a part check its parameters together; return whether they fit."""
        try:
            owner.configure(*arguments)
        except ControlItError as error:
            self.problems.add(self._place(owner, path, str(error)), str(error))
        except Exception as error:  # noqa: BLE001 - a third party's part may fail in any way
            text = f"{owner.name} cannot be configured: {type(error).__name__}: {error}"
            self.problems.add(path, text)
        else:
            return True
        return False

    def required(self, part: _Part | None) -> _Part:
        """Return a part that others need.

        Raises:
            ConfigurationError: It could not be built, for the problems that were found.
        """
        if part is None:
            self.problems.raise_if_any()
        return part  # type: ignore[return-value] # or there is a problem

    def _place(self, owner: Any, section: KeyPath, text: str) -> KeyPath:
        """Return what a message is about, which begins with a parameter and may name an entry."""
        head, separator, _ = text.removeprefix(f"{owner.name}.").partition(":")
        key, _, entry = head.partition(".")
        if separator and head == "robot_description":
            return (head,)
        if not separator or key not in owner.parameters:
            return section
        configuration = self.configuration
        if section == ("robot_interface",) and key not in configuration.robot_interface:
            is_simulated = configuration.parameters.robot_interface_type == SIMULATOR
            section = ("simulator",) if is_simulated else section
        return (*section, key, entry) if entry else (*section, key)
