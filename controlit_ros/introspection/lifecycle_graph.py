"""The states of managed nodes of ROS 2 and the transitions between them."""

from typing import NamedTuple


class LifecycleState(NamedTuple):
    """A state, with the number and the label that ROS 2 gives it."""

    number: int
    label: str


class LifecycleTransition(NamedTuple):
    """A transition; several have the same label, none the same number."""

    number: int
    label: str
    start: LifecycleState
    goal: LifecycleState


UNKNOWN = LifecycleState(0, "unknown")
UNCONFIGURED = LifecycleState(1, "unconfigured")
INACTIVE = LifecycleState(2, "inactive")
ACTIVE = LifecycleState(3, "active")
FINALIZED = LifecycleState(4, "finalized")
CONFIGURING = LifecycleState(10, "configuring")
CLEANINGUP = LifecycleState(11, "cleaningup")
SHUTTINGDOWN = LifecycleState(12, "shuttingdown")
ACTIVATING = LifecycleState(13, "activating")
DEACTIVATING = LifecycleState(14, "deactivating")
ERRORPROCESSING = LifecycleState(15, "errorprocessing")

STATES = (
    UNKNOWN, UNCONFIGURED, INACTIVE, ACTIVE, FINALIZED,
    CONFIGURING, CLEANINGUP, SHUTTINGDOWN, ACTIVATING, DEACTIVATING, ERRORPROCESSING,
)  # fmt: skip

CONFIGURE, CLEANUP, ACTIVATE, DEACTIVATE = "configure", "cleanup", "activate", "deactivate"
SHUTDOWN = "shutdown"
SUCCESS, FAILURE, ERROR = "transition_success", "transition_failure", "transition_error"


def _outcomes(
    first: int, start: LifecycleState, success: LifecycleState, failure: LifecycleState
) -> list[LifecycleTransition]:
    is_error = start is ERRORPROCESSING
    return [
        LifecycleTransition(first, SUCCESS, start, success),
        LifecycleTransition(first + 1, FAILURE, start, failure),
        LifecycleTransition(first + 2, ERROR, start, FINALIZED if is_error else ERRORPROCESSING),
    ]


TRANSITIONS = (
    LifecycleTransition(1, CONFIGURE, UNCONFIGURED, CONFIGURING),
    *_outcomes(10, CONFIGURING, INACTIVE, UNCONFIGURED),
    LifecycleTransition(2, CLEANUP, INACTIVE, CLEANINGUP),
    *_outcomes(20, CLEANINGUP, UNCONFIGURED, INACTIVE),
    LifecycleTransition(3, ACTIVATE, INACTIVE, ACTIVATING),
    *_outcomes(30, ACTIVATING, ACTIVE, INACTIVE),
    LifecycleTransition(4, DEACTIVATE, ACTIVE, DEACTIVATING),
    *_outcomes(40, DEACTIVATING, INACTIVE, ACTIVE),
    LifecycleTransition(5, SHUTDOWN, UNCONFIGURED, SHUTTINGDOWN),
    LifecycleTransition(6, SHUTDOWN, INACTIVE, SHUTTINGDOWN),
    LifecycleTransition(7, SHUTDOWN, ACTIVE, SHUTTINGDOWN),
    *_outcomes(50, SHUTTINGDOWN, FINALIZED, FINALIZED),
    *_outcomes(60, ERRORPROCESSING, UNCONFIGURED, FINALIZED),
)
"""All transitions, in the order in which ROS 2 lists them."""
