"""Numbering: which of the numbered datagrams of a sender is next, whatever else arrives."""

from enum import Enum, auto

NEAR = 16  # [datagrams] that are lost in a row without a doubt
NEWER_LINE = 3  # [datagrams] in a row of a later session or number
OLDER_LINE = 10  # [datagrams] in a row of an earlier one: a robot whose clock was set back, or ours


class Order(Enum):
    """Where a datagram stands to the last one that was taken."""

    NEXT = auto()
    SAME = auto()
    BEFORE = auto()
    APART = auto()


class Numbering:
    """Follows the sessions and sequence numbers of one sender.

    A datagram is next if it is of the present session and its number shortly after the last. One
    that stands apart, of another session or with a number from far away, may be a new life of the
    sender, or forged: alone it is not taken and changes nothing. Only a line of several in a row,
    with none of the present line between them, makes a new present. So it costs nothing when one
    comes in between, and who sends many is outlived as soon as the sender's own line is heard.

    Where only the sender can have made a datagram, the first that is newer is next.

    Args:
        is_proven: Whether nobody else can have made it.

    Attributes:
        skipped: How many numbers were left out before the last one.
    """

    def __init__(self, *, is_proven: bool = False) -> None:
        self._is_proven = is_proven
        self.skipped = 0
        self.forget()

    def forget(self) -> None:
        """Take whatever comes next."""
        self._session = self._sequence = -1
        self._line_session = self._line_sequence = -1
        self._line = 0

    def judge(self, session: int, sequence: int) -> Order:
        """Say where a datagram stands, and remember it if it is next."""
        if self._session < 0:
            return self._take(session, sequence)
        ahead = sequence - self._sequence
        if session == self._session and (-NEAR <= ahead <= NEAR):
            if ahead > 0:
                return self._take(session, sequence)
            return Order.SAME if ahead == 0 else Order.BEFORE
        is_newer = (session, sequence) > (self._session, self._sequence)
        if is_newer if self._is_proven else self._is_line(session, sequence, is_newer=is_newer):
            return self._take(session, sequence)
        return Order.BEFORE if session == self._session and ahead < 0 else Order.APART

    def _is_line(self, session: int, sequence: int, *, is_newer: bool) -> bool:
        """Tell whether this is one of several in a row."""
        ahead = sequence - self._line_sequence
        continues = session == self._line_session and 0 < ahead <= NEAR
        self._line = self._line + 1 if continues else 1
        self._line_session, self._line_sequence = session, sequence
        return self._line >= (NEWER_LINE if is_newer else OLDER_LINE)

    def _take(self, session: int, sequence: int) -> Order:
        is_same_life = session == self._session and sequence > self._sequence
        self.skipped = sequence - self._sequence - 1 if is_same_life else 0
        self._session, self._sequence = session, sequence
        self._line = 0
        self._line_session = -1
        return Order.NEXT
