"""ModeGraph: the names of modes, and the ways between them."""

from collections.abc import Iterable, Sequence

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.modes.mode_transition import ModeTransition
from controlit_ros.parameters.expression import Expression


class UnknownModeError(ControlItError):
    """There is no mode of that name; the text has the nearest."""


class ModeGraph:
    """Which modes there are, and which transitions.

    Args:
        names: Of the modes.
        initial: The one that begins.
        transitions: At most one automatic one and one to ask for from each mode into each other.

    Attributes:
        names: The same.
        initial: The same.
        transitions: The same.
    """

    def __init__(
        self, names: Sequence[str], initial: str, transitions: Iterable[ModeTransition]
    ) -> None:
        self.names = tuple(names)
        self.initial = initial
        self.transitions = tuple(transitions)
        self._asked = {(t.source, t.target): t for t in self.transitions if not t.automatic}
        self._automatic = {
            name: tuple(t for t in self.transitions if t.automatic and t.source == name)
            for name in names
        }
        self._outgoing = {
            name: tuple(t for t in self.transitions if t.source == name) for name in names
        }
        self._watched = {
            name: tuple({t.guard: None for t in ways if t.guard is not None and t.hold > 0.0})
            for name, ways in self._outgoing.items()
        }

    def check(self, name: str) -> None:
        """Check that there is a mode.

        Raises:
            UnknownModeError: There is none of that name.
        """
        if name not in self.names:
            raise UnknownModeError(f"unknown mode {name!r}{did_you_mean(name, self.names)}")

    def asked(self, source: str, target: str) -> ModeTransition | None:
        """Return the transition that a request takes."""
        return self._asked.get((source, target))

    def automatic(self, source: str) -> tuple[ModeTransition, ...]:
        """Return what leaves a mode without a request, in the order of the file."""
        return self._automatic[source]

    def outgoing(self, source: str) -> tuple[ModeTransition, ...]:
        """Return all ways out of a mode."""
        return self._outgoing[source]

    def watched(self, source: str) -> tuple[Expression, ...]:
        """Return the conditions out of a mode that must hold for a while."""
        return self._watched[source]

    def targets(self, source: str) -> tuple[str, ...]:
        """Return the modes that may be asked for in a mode."""
        return tuple(name for name in self.names if (source, name) in self._asked)

    def reachable(self) -> set[str]:
        """Return the modes that some sequence of transitions leads to from the initial one."""
        found, waiting = {self.initial}, [self.initial]
        while waiting:
            for way in self._outgoing[waiting.pop()]:
                if way.target not in found:
                    found.add(way.target)
                    waiting.append(way.target)
        return found
