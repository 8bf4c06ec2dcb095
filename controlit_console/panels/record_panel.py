"""RecordPanel: records everything that the controller publishes, on the console's machine."""

from html import escape
from typing import Any

from viser import Icon

from controlit_console.bag import BagSeen
from controlit_console.look import SMALL, block, chip, quiet, table
from controlit_console.page import Page
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.errors import ControlItError

START, STOP = "Start recording", "Stop recording"
READ_ONLY = "Only pages that may command start and stop it."


class RecordPanel:
    """Starts and stops a bag, for all pages.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._name = ""
        gui = page.gui
        self._button = gui.add_button(START, icon=Icon.PLAYER_RECORD, disabled=True)
        self._state = Shown(gui)
        self._button.on_click(lambda _: self._press())

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        self._name = seen.name
        bag = self._page.desk.bag.seen
        is_usable = bool(seen.name or bag.is_recording)
        is_usable = is_usable and not self._page.desk.control.is_read_only
        _assign(self._button, "disabled", not is_usable)
        _assign(self._button, "label", STOP if bag.is_recording else START)
        icon = Icon.PLAYER_STOP if bag.is_recording else Icon.PLAYER_RECORD
        _assign(self._button, "icon", icon)
        self._state.show(_told(bag, is_read_only=self._page.desk.control.is_read_only))

    def _press(self) -> None:
        page, bag = self._page, self._page.desk.bag
        if page.desk.control.is_read_only:
            page.message = f"Refused: {READ_ONLY}"
            return
        try:
            if bag.seen.is_recording:
                bag.stop()
                page.message = f"Recorded {bag.seen.folder}."
            else:
                bag.start(self._name)
                page.message = f"Recording into {bag.seen.folder}."
        except ControlItError as error:
            page.message = f"Refused: {error}"


def _told(bag: BagSeen, *, is_read_only: bool) -> str:
    if not bag.folder:
        text = "Every topic of the controller goes into a bag below bags/ on the console's machine."
        return block(quiet(READ_ONLY if is_read_only else text), SMALL)
    state = chip("recording" if bag.is_recording else "error" if bag.complaint else "recorded")
    rows = [
        (
            quiet("bag"),
            f'<div style="white-space:normal;word-break:break-all">{escape(bag.folder)}</div>',
        ),
        (quiet("time"), f"{bag.duration:.0f} s"),
        (quiet("messages"), f"{bag.messages} of {bag.topics} topics"),
        (quiet("dropped"), str(bag.dropped)),
    ]
    complaint = f"<br>{escape(bag.complaint)}" if bag.complaint else ""
    return block(f"{state}{complaint}{table(('', ''), rows, ('26%', '74%'))}", SMALL)


def _assign(element: Any, name: str, value: Any) -> None:
    if getattr(element, name) != value:
        setattr(element, name, value)
