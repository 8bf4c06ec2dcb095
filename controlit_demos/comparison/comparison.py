"""Comparison: a scenario, and how each contender did in it."""

from collections.abc import Sequence
from typing import NamedTuple

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.performance import Performance

GOOD, BAD = "", " ✗"


class Comparison(NamedTuple):
    """A scenario after all have gone through it.

    Attributes:
        title: Of the scenario.
        criteria: Its figures.
        performances: The one that is judged first.
    """

    title: str
    criteria: Sequence[Criterion]
    performances: Sequence[Performance]

    @property
    def problems(self) -> list[str]:
        """What the contender that is judged did not meet, in words."""
        judged = self.performances[0]
        return [f"{self.title}: {text}" for text in judged.problems(self.criteria)]

    @property
    def headings(self) -> list[str]:
        """Of the table."""
        return ["", "expected", *(p.contender for p in self.performances)]

    def rows(self) -> list[list[str]]:
        """Return the cells of the table."""
        return [
            [c.heading, c.bounds, *(_cell(c, p.figures[c.name]) for p in self.performances)]
            for c in self.criteria
        ]


def _cell(criterion: Criterion, value: float) -> str:
    return f"{value:.3g}{GOOD if criterion.is_met(value) else BAD}"
