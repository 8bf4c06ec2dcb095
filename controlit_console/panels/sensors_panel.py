"""SensorsPanel: what the robot feels, as far as the controller tells of it."""

import math
from html import escape

from controlit_console.look import SMALL, block, chip, quiet, rounded, table
from controlit_console.page import Page
from controlit_console.panels.once import once
from controlit_console.panels.shown import Shown
from controlit_console.parts import PartView
from controlit_console.seen import ImuSeen, Seen

NONE = "The controller tells of no forces at contacts and of no inertial unit."
WRENCH, IS_SENSED = "wrench", "wrench_is_sensed"
AXES = ("x", "y", "z")


class SensorsPanel:
    """Shows wrenches at contacts and the inertial unit.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._text = Shown(page.gui)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        self._text.show(_told(seen))


@once
def _told(seen: Seen) -> str:
    found = [_wrench(part) for part in seen.parts.constraints if part.named(WRENCH) is not None]
    if seen.imu is not None:
        found.insert(0, _imu(seen.imu))
    return block("".join(found) or quiet(NONE), SMALL)


def _imu(imu: ImuSeen) -> str:
    rows = [
        (quiet("turns [rad/s]"), *(_number(value) for value in imu.rate)),
        (quiet("feels [m/s²]"), *(_number(value) for value in imu.force)),
    ]
    heading = f"<b>inertial unit</b> {chip('sensed')}"
    return _section(heading, rows)


def _wrench(part: PartView) -> str:
    wrench, is_sensed = part.named(WRENCH), part.named(IS_SENSED)
    assert wrench is not None
    heading = f"<b>{escape(part.name)}</b> {chip(part.state)}"
    values = [float(value) for value in wrench.value]
    if not all(math.isfinite(value) for value in values):
        return f'<div style="margin-bottom:10px">{heading}<br>{quiet("nobody tells it now")}</div>'
    origin = "sensed" if is_sensed is not None and is_sensed.value else "expected"
    rows = [
        (quiet("force [N]"), *(_number(value) for value in values[:3])),
        (quiet("moment [N m]"), *(_number(value) for value in values[3:])),
    ]
    return _section(f"{heading} {chip(origin)}", rows)


def _section(heading: str, rows: list[tuple[str, ...]]) -> str:
    columns = table(("", *AXES), rows, ("31%", "23%", "23%", "23%"))
    return f'<div style="margin-bottom:10px">{heading}{columns}</div>'


def _number(value: float) -> str:
    return rounded(value, 2)
