"""ModeReport: what the mode machine tells when something has changed."""

from enum import Enum
from typing import NamedTuple


class ModeOutcome(Enum):
    """What has become of the last request."""

    UNDER_WAY = "under way"
    CONFIRMED = "confirmed"
    REFUSED = "refused"


class ModeReport(NamedTuple):
    """Where the mode machine stands.

    Attributes:
        stamp: When that was, on the servo's clock [s].
        asked: The mode that was asked for last, or that came by itself.
        entered: The mode whose order was carried out last; what is taken is as in this one.
        confirmed: The mode that is.
        since: When that was confirmed [s].
        ticket: Number of the last request.
        outcome: What has become of it.
        reason: Why it was refused, or why the mode came by itself.
    """

    stamp: float
    asked: str
    entered: str
    confirmed: str
    since: float
    ticket: int
    outcome: ModeOutcome
    reason: str
