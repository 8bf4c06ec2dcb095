"""ActionServer: an action of ROS 2 over services and topics of any transport."""

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from enum import IntEnum
from threading import RLock
from typing import Any

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import told
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import DEFAULT, LATCHED, Later, Service, Transport

CANCEL_GOAL = "action_msgs/srv/CancelGoal"
STATUS_ARRAY = "action_msgs/msg/GoalStatusArray"
MOST_ASKING = 100  # who wait for the result of one goal; of more the first are forgotten
RESULT_TIMEOUT = 900.0  # [s] for which the result of a goal can be asked for, as in rcl
KEPT_GOALS = 1000  # goals that ended, whose results are kept that long; as many rejected ones
SHOWN_GOALS = 20  # of these, the latest, that the status lists

_log = logging.getLogger("controlit.action")


class GoalStatus(IntEnum):
    """Where a goal stands, as in action_msgs/GoalStatus."""

    UNKNOWN = 0
    ACCEPTED = 1
    EXECUTING = 2
    CANCELING = 3
    SUCCEEDED = 4
    CANCELED = 5
    ABORTED = 6


class CancelCode(IntEnum):
    """What a request to cancel comes to, as in action_msgs/CancelGoal."""

    NONE = 0
    REJECTED = 1
    UNKNOWN_GOAL_ID = 2
    GOAL_TERMINATED = 3


class Goal:
    """A goal that was accepted.

    Attributes:
        identifier: Its 16 bytes.
        stamp: When it was accepted, ROS time [s].
        status: Where it stands.
        ended_at: When it ended, on the machine's monotonic clock [s].
        result: Fields of its result; `None` until it has ended. Of a goal that is rejected: why.
        asking: Answers to those who wait for the result.
    """

    def __init__(self, identifier: bytes, stamp: float) -> None:
        self.identifier = identifier
        self.stamp = stamp
        self.status = GoalStatus.EXECUTING
        self.result: Mapping[str, Any] | None = None
        self.ended_at = math.inf
        self.asking: deque[Later] = deque(maxlen=MOST_ASKING)

    @property
    def has_ended(self) -> bool:
        """Whether the result is there."""
        return self.result is not None

    @property
    def info(self) -> dict[str, Any]:
        """The fields of action_msgs/GoalInfo."""
        return {
            "goal_id": {"uuid": list(self.identifier)},
            "stamp": time_fields(self.stamp),
        }


class ActionServer:
    """Serves `<name>/_action/...`: what an action client of ROS 2 expects.

    The result is asked for when the goal begins and answered when it ends. A goal that is rejected
    has one, too, of the status unknown: the answer to the goal itself has no words.

    Args:
        name: Of the action, relative to the namespace of the transport.
        type_name: `package/action/Name`.
        transport: Carries it.
        accept: Takes a goal and its message; begins it and returns whether it did, with the result
            of a goal that it rejects written to that.
        cancel: Ends a goal by `finish`, now or soon; returns whether it will.
        why: Returns the fields of a result that says why there is no other.
        complain: Is told of goals whose `accept` raised something.

    Attributes:
        name: Of the action.
    """

    def __init__(
        self,
        name: str,
        type_name: str,
        transport: Transport,
        *,
        accept: Callable[[Goal, Message], bool],
        cancel: Callable[[Goal], bool],
        why: Callable[[str], Mapping[str, Any]],
        complain: Callable[[str], None],
    ) -> None:
        self.name = name
        self._type = type_name
        self._accept = accept
        self._cancel = cancel
        self._why = why
        self._complain = complain
        self._lock = RLock()
        self._goals: dict[bytes, Goal] = {}
        self._rejected: deque[Goal] = deque(maxlen=KEPT_GOALS)
        self._feedback = transport.publisher(
            f"{name}/_action/feedback", f"{type_name}_FeedbackMessage", DEFAULT
        )
        self._status = transport.publisher(f"{name}/_action/status", STATUS_ARRAY, LATCHED)
        self._services: tuple[Service, ...] = (
            transport.serve(f"{name}/_action/send_goal", f"{type_name}_SendGoal", self._send_goal),
            transport.serve(f"{name}/_action/cancel_goal", CANCEL_GOAL, self._cancel_goals),
            transport.serve(
                f"{name}/_action/get_result", f"{type_name}_GetResult", self._get_result
            ),
        )

    def publish_feedback(self, goal: Goal, feedback: Mapping[str, Any]) -> None:
        """Tell how a goal goes, if somebody listens."""
        if self._feedback.subscriber_count():
            self._feedback.publish(
                new(
                    f"{self._type}_FeedbackMessage",
                    goal_id={"uuid": list(goal.identifier)},
                    feedback=feedback,
                )
            )

    def finish(self, goal: Goal, status: GoalStatus, result: Mapping[str, Any]) -> None:
        """End a goal; nothing happens if it has ended before."""
        with self._lock:
            if goal.has_ended:
                return
            goal.status, goal.result = status, result
            goal.ended_at = time.monotonic()
            self._forget_old()
            self._publish_status()
        for asker in goal.asking:
            asker.give(self._result_of(goal))

    def close(self) -> None:
        """Take no more goals; those under way are aborted."""
        send, cancel, get_result = self._services
        send.close()
        cancel.close()
        with self._lock:
            goals = list(self._goals.values())
        for goal in goals:
            self.finish(goal, GoalStatus.ABORTED, self._why("the controller ends"))
        get_result.close()

    def _send_goal(self, request: Message) -> Message:
        identifier = bytes(request.goal_id.uuid)
        goal = Goal(identifier, time.time())
        with self._lock:
            is_new = identifier not in self._goals
            if is_new:
                self._goals[identifier] = goal
        accepted = is_new and self._accepts(goal, request.goal)
        with self._lock:
            if is_new and not accepted:
                del self._goals[identifier]
                goal.status, goal.result = GoalStatus.UNKNOWN, goal.result or {}
                self._rejected.append(goal)
            elif accepted:
                self._publish_status()
        return new(
            f"{self._type}_SendGoal_Response", accepted=accepted, stamp=time_fields(goal.stamp)
        )

    def _accepts(self, goal: Goal, message: Message) -> bool:
        try:
            return self._accept(goal, message)
        except Exception as error:  # noqa: BLE001 - a client may send anything
            _log.exception("a goal of %s failed", self._type)
            text = f"the goal failed when it came: {told(error)}"
            goal.result = self._why(text)
            self._complain(f"{self.name} rejected: {text}")
            return False

    def _cancel_goals(self, request: Message) -> Message:
        wanted = request.goal_info
        identifier = bytes(wanted.goal_id.uuid)
        stamp = wanted.stamp.sec + 1e-9 * wanted.stamp.nanosec
        with self._lock:
            named = self._goals.get(identifier)
            goals = [goal for goal in self._goals.values() if not goal.has_ended]
        if any(identifier) and named is None:
            return self._cancelled(CancelCode.UNKNOWN_GOAL_ID, [])
        if named is not None and named.has_ended:
            return self._cancelled(CancelCode.GOAL_TERMINATED, [])
        is_every = not any(identifier) and stamp == 0.0
        chosen = [goal for goal in goals if is_every or goal is named or 0.0 < goal.stamp <= stamp]
        cancelled = [goal for goal in chosen if self._cancels(goal)]
        code = CancelCode.NONE if cancelled or not chosen else CancelCode.REJECTED
        return self._cancelled(code, cancelled)

    def _cancels(self, goal: Goal) -> bool:
        with self._lock:
            if goal.has_ended:
                return False
            before, goal.status = goal.status, GoalStatus.CANCELING
            self._publish_status()
        if self._cancel(goal):
            return True
        with self._lock:
            if not goal.has_ended:
                goal.status = before
                self._publish_status()
        return False

    def _cancelled(self, code: CancelCode, goals: list[Goal]) -> Message:
        return new(
            f"{CANCEL_GOAL}_Response",
            return_code=int(code),
            goals_canceling=[goal.info for goal in goals],
        )

    def _get_result(self, request: Message) -> Message | Later:
        with self._lock:
            identifier = bytes(request.goal_id.uuid)
            goal = self._goals.get(identifier) or self._rejection(identifier)
            if not goal.has_ended:
                asker = Later()
                goal.asking.append(asker)
                return asker
        return self._result_of(goal)

    def _rejection(self, identifier: bytes) -> Goal:
        """Return a goal that was rejected, or one of which nothing is known."""
        known = (goal for goal in reversed(self._rejected) if goal.identifier == identifier)
        unknown = Goal(identifier, 0.0)
        unknown.status = GoalStatus.UNKNOWN
        unknown.result = self._why("no goal of this id is known")
        return next(known, unknown)

    def _result_of(self, goal: Goal) -> Message:
        type_name = f"{self._type}_GetResult_Response"
        return new(type_name, status=int(goal.status), result=goal.result or {})

    def _forget_old(self) -> None:
        oldest = time.monotonic() - RESULT_TIMEOUT
        ended = [goal for goal in self._goals.values() if goal.has_ended]
        surplus = len(ended) - KEPT_GOALS
        for number, goal in enumerate(ended):
            if number < surplus or goal.ended_at < oldest:
                del self._goals[goal.identifier]

    def _publish_status(self) -> None:
        ended = [goal for goal in self._goals.values() if goal.has_ended]
        hidden = {goal.identifier for goal in ended[:-SHOWN_GOALS]}
        status = [
            {"goal_info": goal.info, "status": int(goal.status)}
            for goal in self._goals.values()
            if goal.identifier not in hidden
        ]
        self._status.publish(new(STATUS_ARRAY, status_list=status))
