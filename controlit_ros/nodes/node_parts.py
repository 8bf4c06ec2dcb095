"""Parts of a node: what is started in order and stopped in reverse."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import NamedTuple, Protocol


def _nothing() -> None:
    pass


class Startable(Protocol):
    """Something that is started and stopped."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End; idempotent, also if it never began."""


class NodePart(NamedTuple):
    """One part of a node.

    Attributes:
        start: Begins it.
        stop: Ends it, or does nothing if it never began; idempotent.
    """

    start: Callable[[], object] = _nothing
    stop: Callable[[], object] = _nothing

    @classmethod
    def of(cls, part: Startable) -> "NodePart":
        """Return a part that is started and stopped as it is."""
        return cls(part.start, part.stop)


def start_parts(parts: Sequence[NodePart]) -> None:
    """Start parts from the first to the last; the first that fails ends that."""
    for part in parts:
        part.start()


def stop_parts(parts: Sequence[NodePart]) -> None:
    """Stop parts from the last to the first, started or not.

    A step that fails keeps none of the later ones from being taken; its error is raised then.
    """
    with ExitStack() as steps:
        for part in parts:
            steps.callback(part.stop)
