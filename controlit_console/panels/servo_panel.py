"""ServoPanel: how the servo fares, which controller computes, and its life."""

from html import escape
from typing import Any

from controlit_console.look import bar, block, quiet, table
from controlit_console.page import Page
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
        self._activate = page.for_control(gui.add_button("Activate"))
        self._deactivate = page.for_control(gui.add_button("Deactivate: the robot goes limp"))
        self._exchange.on_click(lambda _: self._set_controller(str(self._controller.value)))
        self._activate.on_click(
            lambda _: page.act(lambda robot: robot.activate(), "Control has begun.", moves=True)
        )
        self._deactivate.on_click(
            lambda _: page.act(lambda robot: robot.deactivate(), "Control has ended.", moves=True)
        )

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        parts = seen.parts
        names = parts.controllers or (NONE,)
        if names != self._controller.options:
            self._controller.options = names
            chosen: Any = self._controller
            chosen.value = parts.controller if parts.controller in names else names[0]
        self._numbers.show(_numbers(seen))

    def _set_controller(self, name: str) -> None:
        def exchange(robot: Robot) -> None:
            robot.controller = name

        self._page.act(exchange, f"{name} computes the command.")


def _numbers(seen: Seen) -> str:
    period = 1.0 / seen.frequency if seen.frequency > 0.0 else 0.0
    rows: list[Any] = [
        ("frequency", f"{seen.frequency:.1f} Hz"),
        ("round trip", f"{1e3 * seen.round_trip:.2f} ms"),
        ("computes", escape(seen.parts.controller)),
    ]
    for name, duration in seen.latency.items():
        share = duration / period if period else 0.0
        rows.append((quiet(name.replace("_", " ")), bar(share, f"{1e6 * duration:.0f} µs")))
    return block(table(("", "of a cycle"), rows, ("38%", "62%")))
