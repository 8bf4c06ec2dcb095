"""HeldButton: does something once it was held for a while; a touch does nothing."""

import time
from collections.abc import Callable
from typing import Any

from viser import GuiApi

HOLD = 0.7  # [s]
TICKS = 10.0  # [Hz] with which the page says that it is held
LEAST = 5  # [#] of these words: some touches in a row are not holding
LONGEST_GAP = 1.0  # [s] between two of these words; a page that draws slowly stutters


class HeldButton:
    """A button for what moves the robot.

    Args:
        gui: Where it stands.
        label: What it does.
        action: Does it.
        options: Of the button, as `gui.add_button` takes them.

    Attributes:
        button: The element.
    """

    def __init__(self, gui: GuiApi, label: str, action: Callable[[], None], **options: Any) -> None:
        self.button = gui.add_button(label, **options)
        self._action = action
        self._begin = self._last = -LONGEST_GAP
        self._count = 0
        self._is_done = False
        self.button.on_hold(self._tick, callback_hz=TICKS)

    def _tick(self, _event: object) -> None:
        now = time.monotonic()
        if now - self._last > LONGEST_GAP:
            self._begin, self._count, self._is_done = now, 0, False
        self._last = now
        self._count += 1
        if now - self._begin >= HOLD and self._count >= LEAST and not self._is_done:
            self._is_done = True
            self._action()
