"""Performance: how a contender did in a scenario."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.trace import Trace


class Performance(NamedTuple):
    """What a contender made of a scenario.

    Attributes:
        contender: Its name.
        figures: By name.
        traces: Over time.
        end: Why it ended before its time; empty: it did not.
    """

    contender: str
    figures: Mapping[str, float]
    traces: Sequence[Trace]
    end: str = ""

    def problems(self, criteria: Sequence[Criterion]) -> list[str]:
        """Return in words which criteria are not met."""
        missed = [c for c in criteria if not c.is_met(self.figures[c.name])]
        words = [f"{c.heading}: {self.figures[c.name]:.3g}, {c.bounds}" for c in missed]
        return [*words, self.end] if self.end else words
