"""Trace: a figure over time, for the picture."""

from typing import NamedTuple

from controlit_ros.recording.series import Series


class Trace(NamedTuple):
    """A figure over time.

    Attributes:
        label: What it is, with its unit.
        series: Its values since the scenario began [s].
        bound: Where a line is drawn; `None`: nowhere.
    """

    label: str
    series: Series
    bound: float | None = None
