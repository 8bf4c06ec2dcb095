"""PlotPanel: any number over time, by picking it."""

from typing import Any

import numpy as np

from controlit_console.history import History
from controlit_console.page import Page
from controlit_console.seen import Seen
from controlit_ros.arrays import Array

COLORS = ("#1c7ed6", "#e67700", "#2f9e44", "#ae3ec9", "#e03131", "#0c8599")
WINDOWS = ("5 s", "10 s", "30 s", "120 s")
LIGHT_WORDS, DARK_WORDS = "#5c636a", "#adb5bd"
"""Of the axes, on either look: at least 4.5 to 1."""
NONE = "(nothing)"
HEIGHT = 260  # [px]
LEAST_SPAN = 0.01  # [SI] of the axis: its words have three digits behind the point
ROOM = 1.2 * LEAST_SPAN  # [SI] to either side of the middle: no word stands on the edge


class PlotPanel:
    """Plots what the operator picks, all pages for themselves.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._history = History()
        self._chosen: list[str] = []
        self._names: tuple[str, ...] = ()
        self._plot: Any = None
        self._newest: Seen | None = None
        self._room: tuple[float, float] | None = None
        self._is_dark = page.is_dark
        gui = page.gui
        self._folder = gui.add_folder(None)  # above the rest: a tablet has room for one of both
        self._group = gui.add_dropdown("Of", (NONE,))
        self._number = gui.add_dropdown("Number", (NONE,))
        self._add = gui.add_button("Plot it")
        self._clear = gui.add_button("Clear", color="gray")
        self._window = gui.add_dropdown("Window", WINDOWS, initial_value=WINDOWS[1])
        self._pause = gui.add_checkbox("Pause", initial_value=False)
        self._group.on_update(lambda _: self._offer())
        self._add.on_click(lambda _: self._pick(f"{self._group.value}.{self._number.value}"))
        self._clear.on_click(lambda _: self._choose([]))

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        if seen.numbers and seen is not self._newest:
            self._newest = seen
            self._history.add(seen.time, seen.numbers)
        names = tuple(seen.numbers)
        if names != self._names and names:
            self._names = names
            self._group.options = tuple(dict.fromkeys(n.partition(".")[0] for n in names))
            self._offer()
            if not self._chosen:
                self._choose([n for n in names if n.endswith(".error_norm")][:2])
        if self._page.is_dark is not self._is_dark:
            self._is_dark = self._page.is_dark
            self._choose(self._chosen)
        if self._plot is not None and not self._pause.value:
            window = float(str(self._window.value).split()[0])
            data = self._history.series(self._chosen, window)
            self._plot.data = data
            self._scale(data[1:])

    def _scale(self, series: tuple[Array, ...]) -> None:
        """Give numbers that hardly differ some room, or the axis tells all of them alike."""
        values = np.concatenate(series) if series else np.zeros(1)
        values = values[np.isfinite(values)]
        low, high = (values.min(), values.max()) if values.size else (0.0, 0.0)
        room: tuple[float, float] | None = None
        if high - low < LEAST_SPAN:
            middle = round(float(low + high) / LEAST_SPAN) * 0.5 * LEAST_SPAN
            room = (middle - ROOM, middle + ROOM)
        if room != self._room:
            self._room = room
            self._plot.scales = _scales(room)

    def _offer(self) -> None:
        group = str(self._group.value)
        ends = [n.partition(".")[2] for n in self._names if n.partition(".")[0] == group]
        self._number.options = tuple(ends) or (NONE,)

    def _pick(self, name: str) -> None:
        if name in self._names and name not in self._chosen:
            self._choose([*self._chosen, name][-len(COLORS) :])

    def _choose(self, names: list[str]) -> None:
        self._chosen = names
        if self._plot is not None:
            self._plot.remove()
            self._plot = None
        if not names:
            return
        self._room = None
        series = ({"label": "s"}, *_series(names))
        words = DARK_WORDS if self._is_dark else LIGHT_WORDS
        with self._folder:
            self._plot = self._page.gui.add_uplot(
                data=tuple(np.zeros(1) for _ in range(len(names) + 1)),
                series=series,
                scales=_scales(None),
                axes=(_axis("time [s]", words), _axis("", words)),
                height=HEIGHT,
            )


def _series(names: list[str]) -> list[Any]:
    return [
        {"label": name, "stroke": color, "width": 1.5, "points": {"show": False}}
        for name, color in zip(names, COLORS, strict=False)
    ]


def _scales(room: tuple[float, float] | None) -> Any:
    return {"x": {"time": False}, "y": {"range": room} if room else {"auto": True}}


def _axis(label: str, words: str) -> Any:
    return {"stroke": words, "label": label, "labelSize": 18, "grid": {"stroke": f"{words}33"}}
