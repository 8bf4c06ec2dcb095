"""A task of every installed kind, with what it cannot do without."""

from robots_for_tests import configured, dreamer

from controlit_ros.configuration import PluginKind, available
from controlit_ros.constraints.flat_contact import FlatContact

HANDS = ("left_wrist_yaw", "right_wrist_yaw")
KINDS = list(available(PluginKind.TASK))
OURS = [name for name in KINDS if available(PluginKind.TASK)[name].value.startswith("controlit_")]
NEEDED = {
    "CenterOfPressure": {"contact": HANDS[0]},
    "ExternalForce": {"contact": HANDS[0]},
    "InternalForce": {"contacts": HANDS},
}
"""Parameters without which a task says nothing."""


def touching():
    """Return Dreamer, whose hands are contacts."""
    plain = dreamer()
    hands = [configured(FlatContact(hand, plain), body=hand) for hand in HANDS]
    return plain.with_contacts([hand.site for hand in hands])


def made(kind, law=None):
    """Return a configured task of a kind.

    Args:
        kind: Name of its type.
        law: Name of its control law; `None`: as it is.
    """
    task = available(PluginKind.TASK)[kind].load()("Task", touching())
    if law is not None:
        task.use_law(law, available(PluginKind.CONTROL_LAW)[law].load())
    return configured(task, **NEEDED.get(kind, {}))
