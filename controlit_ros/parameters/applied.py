"""Changes that somebody waits for: applied by the servo, or an error that says why not."""

from controlit_ros.errors import ControlItError
from controlit_ros.parameters.receipt import Outcome, Receipt

PATIENCE = 1.0  # [s] many cycles of any servo, and less than callers wait
REASONS = {
    Outcome.DROPPED: "the mailbox was full: newer changes took this one's place",
    Outcome.REFUSED: "the mode that came meanwhile does not take this",
    Outcome.FAILED: "the servo failed when it made this change, which may be half made: its log "
    "says at what",
}


class NotAppliedError(ControlItError):
    """The servo did not take a change, or failed at it; it will not do so later, either."""


def check_applied(receipt: Receipt) -> None:
    """Wait until the servo has applied a change.

    Args:
        receipt: Of the change.

    Raises:
        NotAppliedError: It has not, and will not do so later.
    """
    outcome = receipt.settle(PATIENCE)
    if outcome is not Outcome.APPLIED:
        late = (
            f"the servo took no changes within {PATIENCE:g} s, or makes no cycles, and this one "
            "was taken back: is it configured?"
        )
        raise NotAppliedError(REASONS.get(outcome, late))
