"""ROS 2's lifecycle services over the state machine of a node."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.lifecycle import Lifecycle
from controlit_ros.introspection.lifecycle_graph import (
    ERRORPROCESSING,
    STATES,
    TRANSITIONS,
    LifecycleState,
    LifecycleTransition,
)
from controlit_ros.parameters import RemoteAccess, RemoteAccessError
from controlit_ros.parameters.remote_mailbox import LIFECYCLE
from controlit_ros.transport import EVENTS, Transport

PACKAGE = "lifecycle_msgs"
CHANGE_STATE = f"{PACKAGE}/srv/ChangeState"
GET_STATE = f"{PACKAGE}/srv/GetState"
GET_STATES = f"{PACKAGE}/srv/GetAvailableStates"
GET_TRANSITIONS = f"{PACKAGE}/srv/GetAvailableTransitions"
TRANSITION_EVENT = f"{PACKAGE}/msg/TransitionEvent"

_log = logging.getLogger("controlit.lifecycle")


class LifecycleServices:
    """Serves `~/change_state`, `~/get_state`, ... so that `ros2 lifecycle` works.

    Every transition is told on `~/transition_event`. A node that should work and does not is
    `errorprocessing`, whichever state it will have again when it works.

    Args:
        lifecycle: The state machine.
        is_well: Tells whether the node works as its state says.
        transport: Services are relative to its node.
        access: Whether transitions may be asked for.
    """

    def __init__(
        self,
        lifecycle: Lifecycle,
        is_well: Callable[[], bool],
        transport: Transport,
        access: RemoteAccess,
    ) -> None:
        self._access = access
        self._lifecycle = lifecycle
        self._is_well = is_well
        self._events = transport.publisher("~/transition_event", TRANSITION_EVENT, EVENTS)
        lifecycle.observe(self._publish)
        transport.serve("~/change_state", CHANGE_STATE, self._change)
        transport.serve("~/get_state", GET_STATE, self._state)
        transport.serve("~/get_available_states", GET_STATES, self._states)
        transport.serve("~/get_available_transitions", GET_TRANSITIONS, self._available)
        transport.serve("~/get_transition_graph", GET_TRANSITIONS, self._graph)

    def _change(self, request: Message) -> Message:
        wanted = request.transition
        try:
            self._access.check(LIFECYCLE, f"the transition {wanted.label or wanted.id}")
        except RemoteAccessError as refusal:  # its answer has no place for a reason
            _log.warning("%s", refusal)
            return new(f"{CHANGE_STATE}_Response", success=False)
        success = self._lifecycle.trigger(label=wanted.label, number=wanted.id)
        error = self._lifecycle.error
        if error is not None:
            _log.error("%s: %s", wanted.label or wanted.id, error, exc_info=_is_bug(error))
        _log.info("this node is %s", self._lifecycle.state.label)
        return new(f"{CHANGE_STATE}_Response", success=success)

    def _state(self, _request: Message) -> Message:
        state = self._lifecycle.state if self._is_well() else ERRORPROCESSING
        return new(f"{GET_STATE}_Response", current_state=_state(state))

    def _states(self, _request: Message) -> Message:
        return new(f"{GET_STATES}_Response", available_states=[_state(state) for state in STATES])

    def _available(self, _request: Message) -> Message:
        return _transitions(self._lifecycle.available)

    def _graph(self, _request: Message) -> Message:
        return _transitions(TRANSITIONS)

    def _publish(self, transition: LifecycleTransition) -> None:
        self._events.publish(
            new(TRANSITION_EVENT, timestamp=time.time_ns(), **_description(transition))
        )


def _is_bug(error: Exception) -> bool:
    return not isinstance(error, ControlItError)


def _state(state: LifecycleState) -> dict[str, Any]:
    return {"id": state.number, "label": state.label}


def _description(transition: LifecycleTransition) -> dict[str, Any]:
    return {
        "transition": {"id": transition.number, "label": transition.label},
        "start_state": _state(transition.start),
        "goal_state": _state(transition.goal),
    }


def _transitions(transitions: Iterable[LifecycleTransition]) -> Message:
    return new(
        f"{GET_TRANSITIONS}_Response",
        available_transitions=[_description(transition) for transition in transitions],
    )
