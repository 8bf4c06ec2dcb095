"""ControlDesk: which page may command, and whether motion is armed."""

import threading
from collections.abc import Callable

IDLE = 120.0  # [s] without a command of motion after which it is armed no more


class ControlDesk:
    """One page has control at a time; the others ask for it.

    Commands of motion need it armed as well. It is disarmed when control changes hands or is given
    up, when the page is lost, by a soft stop, and when nothing was moved for a while.
    Any thread may call: a wish of a page that comes after the page has gone changes nothing.

    Args:
        is_read_only: Whether no page may command at all.
        now: Tells the time [s].
    """

    def __init__(self, now: Callable[[], float], *, is_read_only: bool = False) -> None:
        self.is_read_only = is_read_only
        self._now = now
        self._lock = threading.RLock()
        self._present: set[int] = set()
        self._owner: int | None = None
        self._asking: list[int] = []
        self._moved: float | None = None

    @property
    def owner(self) -> int | None:
        """The page that has control."""
        return self._owner

    @property
    def asking(self) -> tuple[int, ...]:
        """Pages that ask for it, the first first."""
        return tuple(self._asking)

    @property
    def is_armed(self) -> bool:
        """Whether the one in control may move the robot."""
        moved = self._moved
        return moved is not None and self._now() - moved < IDLE

    def enter(self, page: int) -> None:
        """Take note of a page; those that never entered, or left, get nothing."""
        with self._lock:
            self._present.add(page)

    def has(self, page: int) -> bool:
        """Tell whether a page has control."""
        return self._owner == page

    def may_move(self, page: int) -> bool:
        """Tell whether a page may move the robot now; if so, it stays armed for a while longer."""
        with self._lock:
            if not (self.has(page) and self.is_armed):
                return False
            self._moved = self._now()
            return True

    def ask(self, page: int) -> bool:
        """Ask for control; return whether the page has it now."""
        with self._lock:
            if self.is_read_only or page not in self._present:
                return False
            if self._owner is None:
                self._give(page)
            elif self._owner != page and page not in self._asking:
                self._asking.append(page)
            return self._owner == page

    def hand_over(self, page: int) -> None:
        """Give control to the first that asks, or to nobody; only who has it can."""
        with self._lock:
            if self._owner == page:
                self._give(self._asking.pop(0) if self._asking else None)

    def arm(self, page: int, *, armed: bool) -> None:
        """Arm motion, or disarm it; only who has control can."""
        with self._lock:
            if self._owner == page:
                self._moved = self._now() if armed else None

    def disarm(self) -> None:
        """Disarm whoever has control."""
        with self._lock:
            self._moved = None

    def leave(self, page: int) -> bool:
        """Forget a page that is gone; return whether it had motion armed."""
        with self._lock:
            was_armed = self.has(page) and self.is_armed
            self._present.discard(page)
            self._asking = [other for other in self._asking if other != page]
            self.hand_over(page)
            return was_armed

    def _give(self, page: int | None) -> None:
        self._owner = page
        self._moved = None
