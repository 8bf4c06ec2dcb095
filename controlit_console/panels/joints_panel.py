"""JointsPanel: every joint against its limits, and what the robot's boards can be told."""

import math
from html import escape
from typing import Any

from controlit_console.feed import BOARDS, TRIGGER
from controlit_console.held_button import HeldButton
from controlit_console.joint_row import JointRow
from controlit_console.look import SMALL, bar, block, place_in_range, quiet, rounded, table
from controlit_console.page import Page
from controlit_console.panels.once import once
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.client import Robot

BEGIN, END = 7, 11  # [#] characters of a name that is too long for its column


class JointsPanel:
    """Shows positions in their ranges, velocities and efforts against their limits.

    Where a driver serves `std_srvs/srv/Trigger` below `hardware/` of the controller, to home joints
    or to reset errors, there is a button for each, which is held: joints may move.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._boards: dict[str, Any] = {}
        self._folder = page.gui.add_folder("Boards", visible=False)
        self._table = Shown(page.gui)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        self._table.show(_table(seen))
        if seen.parts.boards != tuple(self._boards):
            self._make(seen.parts.boards)

    def _make(self, names: tuple[str, ...]) -> None:
        gone = list(self._boards.values())
        self._page.forget(gone)
        for button in gone:
            button.remove()
        with self._folder:
            self._boards = {name: self._button(name) for name in names}
        self._folder.visible = bool(names)

    def _button(self, name: str) -> Any:
        held = HeldButton(self._page.gui, f"Hold to {name}", lambda: self._tell(name))
        return self._page.for_control(held.button)

    def _tell(self, name: str) -> None:
        def tell(robot: Robot) -> None:
            robot.session.link.ask(f"{BOARDS}{name}", TRIGGER)

        self._page.act(tell, f"The boards did: {name}.", moves=True)


@once
def _table(seen: Seen) -> str:
    rows = [(_name(row.name), _position(row), _velocity(row), _effort(row)) for row in seen.joints]
    headings = ("joint", "position [rad, m]", "velocity [/s]", "effort [N m, N]")
    widths = ("31%", "25%", "20%", "24%")
    shown = table(headings, rows, widths) if rows else quiet("No joint has been heard of yet.")
    return block(shown, SMALL)


def _name(name: str) -> str:
    """Return a name of which the end is seen, where joints differ, if it is too long."""
    shown = name if len(name) <= BEGIN + 1 + END else f"{name[:BEGIN]}…{name[-END:]}"
    return f'<span title="{escape(name)}">{escape(shown)}</span>'


def _position(row: JointRow) -> str:
    limits, text = row.limits, rounded(row.position, 3)
    if math.isfinite(limits.lower) and limits.upper > limits.lower:
        return place_in_range(row.position, limits.lower, limits.upper, text)
    return text


def _velocity(row: JointRow) -> str:
    return bar(row.velocity / row.limits.velocity, rounded(row.velocity, 2), is_centred=True)


def _effort(row: JointRow) -> str:
    return bar(row.effort / row.limits.effort, rounded(row.effort, 1), is_centred=True)
