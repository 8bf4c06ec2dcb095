"""ServoPanel: how the servo fares, which controller computes, and its life."""

from collections.abc import Callable
from html import escape
from typing import Any

from controlit_console.held_button import HeldButton
from controlit_console.look import SMALL, bar, block, chip, quiet, table
from controlit_console.page import Page
from controlit_console.panels.once import once
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.client import Robot

NONE = "(none)"


class ServoPanel:
    """Shows frequency and latency; exchanges controllers; begins and ends control.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        gui = page.gui
        self._numbers = Shown(gui)
        self._controller = gui.add_dropdown("Controller", (NONE,))
        self._exchange = page.for_control(gui.add_button("Exchange controller"))
        self._held("Hold to activate", self._begin)
        self._held("Hold to deactivate: the robot goes limp", self._end)
        self._diagnoses = Shown(gui)
        self._exchange.on_click(lambda _: self._set_controller(str(self._controller.value)))

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        parts = seen.parts
        names = parts.controllers or (NONE,)
        if names != self._controller.options:
            self._controller.options = names
            chosen: Any = self._controller
            chosen.value = parts.controller if parts.controller in names else names[0]
        self._numbers.show(_numbers(seen))
        self._diagnoses.show(_diagnoses(seen))

    def _held(self, label: str, action: Callable[[], None]) -> None:
        self._page.for_control(HeldButton(self._page.gui, label, action).button)

    def _begin(self) -> None:
        self._page.act(lambda robot: robot.activate(), "Control has begun.", moves=True)

    def _end(self) -> None:
        self._page.act(lambda robot: robot.deactivate(), "Control has ended.", moves=True)

    def _set_controller(self, name: str) -> None:
        def exchange(robot: Robot) -> None:
            robot.controller = name

        self._page.act(exchange, f"{name} computes the command.")


@once
def _diagnoses(seen: Seen) -> str:
    """Return what is told on `/diagnostics`, of boards and drivers as well as of the servo."""
    found = []
    for diagnosis in seen.diagnoses:
        rows = [(quiet(name), escape(value)) for name, value in diagnosis.values]
        head = f"{chip(diagnosis.level)} <b>{escape(diagnosis.name)}</b><br>"
        words = escape(diagnosis.message)
        found.append(f"{head}{words}{table(('', ''), rows, ('62%', '38%'))}")
    return block('<div style="height:10px"></div>'.join(found), SMALL) if found else ""


@once
def _numbers(seen: Seen) -> str:
    period = 1.0 / seen.frequency if seen.frequency > 0.0 else 0.0
    rows: list[Any] = [
        ("frequency", f"{seen.frequency:.1f} Hz"),
        ("round trip", f"{1e3 * seen.round_trip:.2f} ms"),
        ("computes", escape(seen.parts.controller) or quiet("nothing yet")),
    ]
    for name, duration in seen.latency.items():
        share = duration / period if period else 0.0
        rows.append((quiet(name.replace("_", " ")), bar(share, f"{1e6 * duration:.0f} µs")))
    return block(table(("", "bars: share of a cycle"), rows, ("38%", "62%")))
