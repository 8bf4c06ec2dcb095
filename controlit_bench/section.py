"""Section: one table of a benchmark's results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Section:
    """A table with numbers and what there is to say about it.

    Attributes:
        name: What users ask for.
        title: One line.
        columns: Headings; those with a unit in brackets stand over numbers.
        rows: A value for each column: text, number, or `None` where there is none.
        remarks: Lines below the table.
        curves: For the plot: name to points x, y; empty if there is nothing to plot.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    remarks: tuple[str, ...] = ()
    curves: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"section {self.name!r}: found a row of {len(row)} values, expected "
                    f"{len(self.columns)}"
                )

    def cells(self) -> list[tuple[str, ...]]:
        """Return the rows as text."""
        return [tuple(_text(value) for value in row) for row in self.rows]

    def markdown(self) -> str:
        """Return the heading, the table and the remarks, with an empty line before."""
        heads = ["| " + " | ".join(self.columns) + " |", "|---" * len(self.columns) + "|"]
        lines = ["| " + " | ".join(cells) + " |" for cells in self.cells()]
        return "\n".join(["", f"## {self.title}", "", *heads, *lines, "", *self.remarks, ""])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, a map for each row."""
        return {
            "title": self.title,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "remarks": list(self.remarks),
        }


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000.0 else f"{value:.0f}"
    return str(value)
