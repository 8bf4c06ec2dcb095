"""JointsPanel: every joint against its limits."""

import math
from html import escape

from controlit_console.joint_row import JointRow
from controlit_console.look import SMALL, bar, block, place_in_range, quiet, rounded, table
from controlit_console.page import Page
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen


class JointsPanel:
    """Shows positions in their ranges, velocities and efforts against their limits.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._table = Shown(page.gui)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        rows = [
            (_name(row.name), _position(row), _velocity(row), _effort(row)) for row in seen.joints
        ]
        headings = ("joint", "position [rad, m]", "velocity [/s]", "effort [N m, N]")
        widths = ("34%", "22%", "22%", "22%")
        shown = table(headings, rows, widths) if rows else quiet("No joint has been heard of yet.")
        self._table.show(block(shown, SMALL))


def _name(name: str) -> str:
    """Return a name of which the end is seen, where joints differ, if it is too long."""
    return f'<span title="{escape(name)}">{escape(name)}</span>'


def _position(row: JointRow) -> str:
    limits, text = row.limits, rounded(row.position, 3)
    if math.isfinite(limits.lower) and limits.upper > limits.lower:
        return place_in_range(row.position, limits.lower, limits.upper, text)
    return text


def _velocity(row: JointRow) -> str:
    return bar(row.velocity / row.limits.velocity, rounded(row.velocity, 2), is_centred=True)


def _effort(row: JointRow) -> str:
    return bar(row.effort / row.limits.effort, rounded(row.effort, 1), is_centred=True)
