"""ContactPhase: whether a contact comes, stays or goes."""

from enum import Enum


class ContactPhase(Enum):
    """What becomes of a contact after it was switched on or off; its value is what is told."""

    SETTLED = "settled"
    """Nothing: it is as its state says."""
    ARRIVING = "arriving"
    """On, and may bear more and more."""
    LEAVING = "leaving"
    """Off for who switched it, but still there; may bear less and less."""
    WAITING = "waiting"
    """Likewise, but it bears what the others cannot."""

    @property
    def keeps(self) -> bool:
        """Whether the contact is still there although it was switched off."""
        return self in (ContactPhase.LEAVING, ContactPhase.WAITING)
