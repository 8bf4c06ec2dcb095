"""ModesPanel: the picture of the modes, the present one, and those that may follow."""

import base64
from html import escape
from typing import Any

from controlit_console.held_button import HeldButton
from controlit_console.look import SMALL, block, chip, quiet, table
from controlit_console.modes_seen import ModesSeen, ModeView
from controlit_console.page import Page
from controlit_console.panels.shown import Shown
from controlit_console.seen import Seen
from controlit_ros.client import Robot

NONE = "The controller has no modes."
DARK = "filter:invert(0.86) hue-rotate(180deg)"  # white becomes the ground of the page


class ModesPanel:
    """Shows modes; a button for each, usable where the mode could be entered now.

    Args:
        page: Whose.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._state = Shown(page.gui)
        self._folder = page.gui.add_folder(None)
        self._buttons: dict[str, Any] = {}
        self._picture = Shown(page.gui)
        self._facts = Shown(page.gui)

    def show(self, seen: Seen) -> None:
        """Show a moment."""
        modes = seen.parts.modes
        self._state.show(_state(modes))
        if tuple(mode.name for mode in modes.modes) != tuple(self._buttons):
            self._make(modes)
        for mode in modes.modes:
            button, is_usable = self._buttons[mode.name], self._is_usable(mode, modes)
            if button.disabled is is_usable:
                button.disabled = not is_usable
        self._picture.show(_picture(modes, is_dark=self._page.is_dark))
        self._facts.show(_facts(modes))

    def _make(self, modes: ModesSeen) -> None:
        for button in self._buttons.values():
            button.remove()
        with self._folder:
            self._buttons = {mode.name: self._button(mode) for mode in modes.modes}

    def _button(self, mode: ModeView) -> Any:
        held = HeldButton(
            self._page.gui,
            f"Hold for {mode.name}",
            lambda: self._ask_for(mode.name),
            disabled=True,
            hint=mode.description or None,
        )
        return held.button

    def _is_usable(self, mode: ModeView, modes: ModesSeen) -> bool:
        return self._page.may_change and mode.is_allowed and mode.name != modes.entered

    def _ask_for(self, name: str) -> None:
        def ask(robot: Robot) -> None:
            robot.modes.request(name)

        self._page.act(ask, f"{name} is asked for.", moves=True)


def _state(modes: ModesSeen) -> str:
    if not modes.modes:
        return block(quiet(NONE))
    lines = [f"<b>{escape(modes.confirmed or modes.entered)}</b>"]
    if modes.entered != modes.confirmed:
        lines.append(f"{quiet('on the way to')} {escape(modes.entered)}")
    told = f" {escape(modes.reason)}" if modes.reason else ""
    lines.append(f"{quiet('asked for')} {escape(modes.asked)} {chip(modes.outcome)}{told}")
    return block("<br>".join(lines))


def _facts(modes: ModesSeen) -> str:
    if not modes.modes:
        return ""
    rows = [(escape(mode.name), _why_not(mode, modes)) for mode in modes.modes]
    return block(table(("mode", "may follow"), rows, ("28%", "72%")), SMALL)


def _why_not(mode: ModeView, modes: ModesSeen) -> str:
    if mode.name == modes.entered:
        return "is"
    text = "yes" if mode.is_allowed else f"no: {escape(mode.reason)}"
    return f'<div style="white-space:normal">{text}</div>'


def _picture(modes: ModesSeen, *, is_dark: bool) -> str:
    """Return the picture as one of its own, where no text of it can become part of the page."""
    if not modes.picture:
        return ""
    data = base64.b64encode(modes.picture.encode()).decode()
    style = f"display:block;margin:auto;max-width:100%;{DARK if is_dark else ''}"
    return block(f'<img alt="modes" style="{style}" src="data:image/svg+xml;base64,{data}">')
