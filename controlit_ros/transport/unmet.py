"""What to tell of two ends of a topic that never hear of each other."""

from .qos import Qos
from .qos_overrides import PREFIX

PUBLISHER_CHANGE = "publisher.reliability:=reliable"
SUBSCRIPTION_CHANGE = "subscription.reliability:=best_effort"


def unmet(topic: str, ours: Qos, theirs: Qos, *, sends: bool) -> str:
    """Return why an end of this node and one of another never meet; empty if they do.

    Args:
        topic: Absolute name.
        ours: What this node offers or asks for.
        theirs: What the other one asks for or offers.
        sends: Whether this node is the one that publishes.
    """
    offered, requested = (ours, theirs) if sends else (theirs, ours)
    if offered.satisfies(requested):
        return ""
    text = (
        f"{topic}: nothing gets from {'this' if sends else 'another'} node, which "
        f"offers {offered.words}, to {'another' if sends else 'this'} one, which asks for "
        f"{requested.words}"
    )
    if requested.reliable and not offered.reliable:
        change = PUBLISHER_CHANGE if sends else SUBSCRIPTION_CHANGE
        text += f"; {PREFIX}{topic}.{change} changes that"
    return text
