"""NotesPanel: events, warnings and errors as they come, and the events that can be switched."""

import time
from html import escape

from controlit_console.look import SMALL, block, chip, quiet, table
from controlit_console.page import Page
from controlit_console.panels.once import once
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.client import Robot

SHOWN = 40  # [#] notes
NONE = "(none)"
NO_EVENT = "The controller has no events that can be switched."
STATES = ("enable", "disable")


class NotesPanel:
    """Shows what was told, the newest first.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        gui = page.gui
        self._events = Shown(gui)
        self._choice = gui.add_dropdown("Event", (NONE,))
        self._states = gui.add_button_group("State", STATES)
        self._notes = Shown(gui)
        self._states.on_click(lambda _: self._switch(str(self._states.value)))

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        events = seen.parts.events
        self._events.show(_table(seen))
        self._show_switch(are_wanted=bool(events))
        names = tuple(event.name for event in events) or (NONE,)
        if names != self._choice.options:
            self._choice.options = names
        self._notes.show(_notes(seen))

    def _show_switch(self, *, are_wanted: bool) -> None:
        for element in (self._choice, self._states):
            if element.visible is not are_wanted:
                element.visible = are_wanted

    def _switch(self, state: str) -> None:
        name = str(self._choice.value)

        def switch(robot: Robot) -> None:
            getattr(robot.event(name), state)()

        self._page.act(switch, f"{name} is {state}d.")


@once
def _table(seen: Seen) -> str:
    rows = [
        (
            f"<b>{escape(event.name)}</b>",
            chip("enable" if event.is_enabled else "disable"),
            "holds" if event.holds else quiet("no"),
            str(event.fired),
        )
        for event in seen.parts.events
    ]
    headings = ("event", "state", "condition", "fired")
    shown = table(headings, rows, ("46%", "20%", "18%", "16%")) if rows else quiet(NO_EVENT)
    return block(shown)


@once
def _notes(seen: Seen) -> str:
    lines = [
        f"<div>{quiet(time.strftime('%H:%M:%S', time.localtime(note.time)))} {chip(note.kind)} "
        f"{escape(note.text)}</div>"
        for note in reversed(list(seen.notes)[-SHOWN:])
    ]
    return block("".join(lines) or quiet("Nothing was told yet."), SMALL)
