"""Arena: memory taken before a process forks, given out piece by piece before and after."""

from threading import Lock

from controlit_ros.errors import ControlItError
from controlit_ros.servo.shared_memory import shared_memory

CACHE_LINE = 64  # [bytes]


class ArenaFullError(ControlItError):
    """There is no piece left that is large enough."""


class Arena:
    """Pieces of one memory, which processes name to each other by where they begin.

    One process takes pieces and gives them back, others only look at them. What nobody has written
    to takes no room in the machine.

    Args:
        size: Of all of it [bytes].
    """

    def __init__(self, size: int) -> None:
        self._content = shared_memory(size)
        self._free = {0: size}  # [bytes] size by begin; no two touch each other
        self._taken: dict[int, int] = {}
        self._lock = Lock()

    def take(self, size: int) -> int:
        """Return where a piece of zeros begins, `size` [bytes].

        Raises:
            ArenaFullError: None is left.
        """
        room = -(-max(size, 1) // CACHE_LINE) * CACHE_LINE
        with self._lock:
            for begin, free in sorted(self._free.items()):
                if free >= room:
                    del self._free[begin]
                    if free > room:
                        self._free[begin + room] = free - room
                    self._taken[begin] = room
                    self._content[begin : begin + room] = bytes(room)
                    return begin
        raise ArenaFullError(
            f"found no {size} bytes left for what the servo puts out, of {len(self._content)}"
        )

    def at(self, begin: int, size: int) -> memoryview:
        """Return a piece, `size` [bytes]."""
        return self._content[begin : begin + size]

    def give_back(self, begin: int) -> None:
        """Let others have a piece that nobody looks at any more, if it was taken here."""
        with self._lock:
            size = self._taken.pop(begin, 0)
            if not size:
                return
            size += self._free.pop(begin + size, 0)
            for other, free in self._free.items():
                if other + free == begin:
                    self._free[other] = free + size
                    return
            self._free[begin] = size
