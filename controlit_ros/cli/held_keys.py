"""HeldKeys: a velocity while a key of a terminal is held."""

import numpy as np

from controlit_ros.arrays import Array

REPEATS = 0.12  # [s] keys that are held repeat faster than that
FIRST = 0.7  # [s] until a keyboard begins to repeat, by most settings
DIRECTIONS = {
    "w": (1, 0, 0),
    "s": (-1, 0, 0),
    "q": (0, 1, 0),
    "e": (0, -1, 0),
    "a": (0, 0, 1),
    "d": (0, 0, -1),
}
"""Forward, to the left, turning to the left."""
ARROWS = {"[A": "w", "[B": "s", "[D": "a", "[C": "d", "OA": "w", "OB": "s", "OD": "a", "OC": "d"}
"""What terminals send for arrows after the escape character."""
ENDS = ("x", "\x03", "\x04")  # Ctrl-C and Ctrl-D in a raw terminal
ESCAPE = "\x1b"
ARROW = 3  # [characters] of an arrow


class HeldKeys:
    """Turns what a terminal sends into a velocity.

    A terminal tells of presses, and repeats them while a key is held; it does not tell of
    releases. So a key counts as held until it should have been repeated and was not.

    Args:
        speeds: `(3,)` while a key is held: along, aside [m/s], turning [rad/s].

    Attributes:
        ended: Whether the key to end was pressed.
    """

    def __init__(self, speeds: Array) -> None:
        self.ended = False
        self._speeds = speeds
        self._direction: Array = np.zeros(3)
        self._key = ""
        self._until = -np.inf
        self._rest = ""  # of an arrow whose end has not come yet

    def take(self, text: str, now: float) -> None:
        """Take in what came from the terminal at a time [s]."""
        text, self._rest = self._rest + text, ""
        while text:
            if text[0] == ESCAPE and len(text) < ARROW:
                self._rest = text
                return
            key, text = _first(text)
            self._press(key, now)

    def velocity(self, now: float) -> Array:
        """Return the velocity at a time [s], `(3,)`; a copy."""
        wanted: Array = self._direction * self._speeds
        return wanted if now < self._until else np.zeros(3)

    def _press(self, key: str, now: float) -> None:
        if key in ENDS:
            self.ended = True
        if key not in DIRECTIONS:  # every other key stops
            self._key, self._until = "", -np.inf
            return
        repeats = key == self._key and now < self._until
        self._key, self._direction = key, np.array(DIRECTIONS[key], dtype=float)
        self._until = now + (REPEATS if repeats else FIRST)


def _first(text: str) -> tuple[str, str]:
    """Return the first key, arrows as letters, and the rest."""
    if text[0] == ESCAPE:
        return ARROWS.get(text[1:3], ESCAPE), text[3:]
    return text[0].lower() if text[0].isalpha() else text[0], text[1:]
