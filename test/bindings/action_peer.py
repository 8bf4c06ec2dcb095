"""An action client of one action."""

import uuid

from patience import GENEROUS

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.interfaces import new


class ActionPeer:
    """Sends goals, asks for results, cancels, and hears feedback."""

    def __init__(self, transport, name, type_name):
        self.type = type_name
        self._send = transport.client(f"{name}/_action/send_goal", f"{type_name}_SendGoal")
        self._result = transport.client(f"{name}/_action/get_result", f"{type_name}_GetResult")
        self._cancel = transport.client(f"{name}/_action/cancel_goal", "action_msgs/srv/CancelGoal")
        self.feedback = []
        transport.subscribe(
            f"{name}/_action/feedback", f"{type_name}_FeedbackMessage", self.feedback.append
        )

    def send(self, **goal):
        """Return the identifier of a goal that was accepted, else `None`."""
        self.last = identifier = list(uuid.uuid4().bytes)
        request = new(f"{self.type}_SendGoal_Request", goal_id={"uuid": identifier}, goal=goal)
        return identifier if self._send.call(request, GENEROUS).accepted else None

    def refusal(self, **goal):
        """Send a goal that is rejected; return the result that says why."""
        assert self.send(**goal) is None
        status, result = self.result(self.last)
        assert status is GoalStatus.UNKNOWN
        return result

    def result(self, identifier):
        """Wait for a goal to end; return its status and result."""
        request = new(f"{self.type}_GetResult_Request", goal_id={"uuid": identifier})
        answer = self._result.call(request, GENEROUS)
        return GoalStatus(answer.status), answer.result

    def cancel(self, identifier):
        """Return how many goals are cancelled."""
        info = {"goal_id": {"uuid": identifier}}
        request = new("action_msgs/srv/CancelGoal_Request", goal_info=info)
        return len(self._cancel.call(request, GENEROUS).goals_canceling)
