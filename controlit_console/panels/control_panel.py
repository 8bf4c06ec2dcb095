"""ControlPanel: the state of the controller, who has control, and the stop; always in sight."""

from html import escape
from typing import Any

from viser import GuiEvent, Icon

from controlit_console.aspect import PHONE, aspect
from controlit_console.control_desk import ControlDesk
from controlit_console.look import SMALL, TITLE, block, chip, quiet
from controlit_console.page import Page
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen

WIDTH = 300  # [px]
BROAD = 1.45  # [-] width over height of a page with room for a window beside the robot
ARMED = "Motion is armed: drag the arrows at the robot's goals. Space stops."
DISARMED = "Motion is not armed."
HINT = "Space stops from anywhere; while you write in a field, Ctrl + space."
SILENT = "What comes of a wish is told here."
STATE_LINES = 2  # [#] kept free for why there is no controller, so that nothing jumps
MESSAGE_LINES = 3  # [#] likewise for what came of a wish


class ControlPanel:
    """Stands in a window of its own; on a page without room for it, above the other panels.

    A phone shows one panel only: there it is the first thing in it.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        gui = page.gui
        control = page.desk.control
        with self._place():
            self._state = Shown(gui)
            self._stop = gui.add_button(
                "Soft stop  (space)",
                color="red",
                icon=Icon.HAND_STOP,
                disabled=control.is_read_only,
            )
            self._take = gui.add_button("Take control", disabled=control.is_read_only)
            self._arm = gui.add_checkbox("Arm motion", initial_value=False, disabled=True)
            self._message = Shown(gui)
            self._follow = gui.add_checkbox("Follow the robot", initial_value=page.follows)
            self._dark = gui.add_checkbox("Dark", initial_value=page.is_dark)
            Shown(gui, block(quiet(HINT), SMALL))
        self._stop.on_click(lambda _: self._halt())
        gui.add_command("Soft stop", hotkey="space").on_trigger(lambda _: self._halt())
        self._take.on_click(lambda _: self._take_or_give())
        self._arm.on_update(self._set_armed)
        self._is_armed = False  # as the box was told last
        self._follow.on_update(lambda _: self._set_following())
        self._dark.on_update(lambda _: page.set_dark(is_dark=self._dark.value))

    def _place(self) -> Any:
        """Return what its elements stand in."""
        gui, shape = self._page.gui, aspect(self._page.client.camera)
        if shape < PHONE:
            return gui.add_folder("Control")
        panel = gui.add_panel()
        if shape > BROAD:
            panel.float(x=15, y=-15, width=WIDTH)  # where no notification covers the stop
        else:
            panel.dock_above(gui.main_panel)
        return panel.add_tab("Control", Icon.STEERING_WHEEL)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        page, control = self._page, self._page.desk.control
        self._state.show(_headline(seen, page.number, control))
        _assign(self._take, "label", _wish(page.number, control))
        _assign(self._arm, "disabled", not control.has(page.number))
        armed = control.has(page.number) and control.is_armed
        if armed != self._is_armed:  # or a click that is under way would be undone
            self._is_armed = armed
            _assign(self._arm, "value", armed)
        height = f"height:{1.45 * MESSAGE_LINES}em;overflow:auto;overflow-wrap:anywhere"
        told = escape(page.message) or quiet(SILENT)
        self._message.show(block(told, SMALL, height))

    def _halt(self) -> None:
        if not self._page.desk.control.is_read_only:
            self._page.message = self._page.desk.stop()

    def _take_or_give(self) -> None:
        page, control = self._page, self._page.desk.control
        if control.has(page.number):
            control.hand_over(page.number)
            page.message = "Control was given away."
        elif control.ask(page.number):
            page.message = "This page has control. Arm motion to move the robot."
        else:
            page.message = f"Page {control.owner} has control and was asked for it."

    def _set_following(self) -> None:
        self._page.follows = self._follow.value

    async def _set_armed(self, event: GuiEvent[Any]) -> None:
        if event.client is None:
            return  # the box tells what is, and nobody clicked
        page, control = self._page, self._page.desk.control
        control.arm(page.number, armed=self._arm.value)
        self._is_armed = self._arm.value
        page.message = ARMED if control.is_armed else DISARMED


def _headline(seen: Seen, page: int, control: ControlDesk) -> str:
    name = escape(seen.name or "no controller")
    title = f'<span style="font-size:{TITLE}px;font-weight:600">{name}</span> {chip(seen.state)}'
    speed = f"{seen.frequency:.0f} Hz" if seen.frequency > 0.0 else ""
    height = f"height:{1.45 * STATE_LINES}em;overflow:auto"
    told = f'<div style="{height}">{quiet(speed or seen.complaint)}</div>'
    return block(f"{title}{told}{_who(page, control)}")


def _who(page: int, control: ControlDesk) -> str:
    asking = ", ".join(str(number) for number in control.asking if number != page)
    if control.is_read_only:
        return quiet(f"page {page}, to look at only")
    if control.has(page):
        wish = f": page {escape(asking)} asks for it" if asking else ""
        return f"<b>page {page} (this one) has control</b>{wish}"
    owner = "nobody has control" if control.owner is None else f"page {control.owner} has control"
    return quiet(f"page {page}; {owner}")


def _wish(page: int, control: ControlDesk) -> str:
    if control.has(page):
        return "Give control away" if not control.asking else "Hand control over"
    if page in control.asking:
        return "Asked for control"
    return "Take control" if control.owner is None else "Ask for control"


def _assign(element: Any, name: str, value: Any) -> None:
    if getattr(element, name) != value:
        setattr(element, name, value)
