"""Selection among the publishers of a latched topic: a value goes with its publisher."""

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from .qos import Durability, Qos

_Sample = TypeVar("_Sample")


class PresentPublisher(Generic[_Sample]):
    """Keeps the last sample of each living publisher of a latched topic.

    The present publisher is the living one that published last. When it goes, its value is no
    longer true: the last sample of the one before counts again, which would not be sent again.

    Args:
        find_living: Returns identifiers of the publishers that are matched now.
    """

    def __init__(self, find_living: Callable[[], Collection[object]]) -> None:
        self._find_living = find_living
        self._samples: dict[object, _Sample] = {}  # the present publisher's is the last
        self._unmatched: dict[object, _Sample] = {}

    def take(self, publisher: object, sample: _Sample) -> bool:
        """Keep a sample and return whether to deliver it.

        One of a publisher that is not matched, beside a living one, is held back: its publisher is
        gone, or its match will be known a moment later.
        """
        living = self._find_living()
        if publisher not in living and any(p in living for p in self._samples if p != publisher):
            self._unmatched[publisher] = sample
            return False
        self._make_present(publisher, sample)
        return True

    def update(self) -> _Sample | None:
        """Update the matched publishers, after each change; return a sample to deliver, if any.

        That of a publisher whose match was not known before, or, when the present publisher is
        gone, the last one of another.
        """
        living = self._find_living()
        held, self._unmatched = self._unmatched, {}
        present = next(reversed(self._samples), None)
        remaining = {p: s for p, s in self._samples.items() if p in living}
        if remaining:  # else the last value stays known until another publisher comes
            self._samples = remaining
        for publisher, sample in held.items():
            if publisher in living:
                self._make_present(publisher, sample)
        now = next(reversed(self._samples), None)
        return None if now == present or now is None else self._samples[now]

    def _make_present(self, publisher: object, sample: _Sample) -> None:
        self._samples.pop(publisher, None)
        self._samples[publisher] = sample


def is_single_value(qos: Qos) -> bool:
    """Return whether a topic is one latched value, and not a history or one value a publisher."""
    return qos.durability is Durability.TRANSIENT_LOCAL and qos.depth == 1
