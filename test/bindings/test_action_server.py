"""The protocol of ROS 2's actions, without anything that moves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from patience import GENEROUS

from controlit_ros.bindings import action_server
from controlit_ros.bindings.action_server import (
    KEPT_GOALS,
    MOST_ASKING,
    RESULT_TIMEOUT,
    SHOWN_GOALS,
    ActionServer,
    CancelCode,
    GoalStatus,
)
from controlit_ros.client.action_call import ActionCall, ActionInfo, RejectedGoalError
from controlit_ros.interfaces import new
from controlit_ros.transport import LATCHED

ACTION = "control_msgs/action/FollowJointTrajectory"
CANCEL = "action_msgs/srv/CancelGoal"
INVALID_GOAL = -1
SUCCEEDED = {"error_code": 0, "error_string": "fine"}


def uuid(number):
    return [number] * 16 if number < 256 else list(number.to_bytes(16, "big"))


class Peer:
    """An action client, one call at a time."""

    def __init__(self, transport):
        self._goal = transport.client("fold/_action/send_goal", f"{ACTION}_SendGoal")
        self._cancel = transport.client("fold/_action/cancel_goal", CANCEL)
        self._result = transport.client("fold/_action/get_result", f"{ACTION}_GetResult")
        self.feedback, self.statuses = [], []
        transport.subscribe(
            "fold/_action/feedback", f"{ACTION}_FeedbackMessage", self.feedback.append
        )
        transport.subscribe(
            "fold/_action/status",
            "action_msgs/msg/GoalStatusArray",
            lambda m: self.statuses.append([entry.status for entry in m.status_list]),
            LATCHED,
        )

    def send(self, number):
        request = new(f"{ACTION}_SendGoal_Request", goal_id={"uuid": uuid(number)})
        return self._goal.call(request, GENEROUS).accepted

    def cancel(self, number=0, stamp=None):
        info = {"goal_id": {"uuid": uuid(number)}}
        if stamp is not None:
            info["stamp"] = stamp
        answer = self._cancel.call(new(f"{CANCEL}_Request", goal_info=info), GENEROUS)
        return CancelCode(answer.return_code), [g.goal_id.uuid[0] for g in answer.goals_canceling]

    def result(self, number):
        request = new(f"{ACTION}_GetResult_Request", goal_id={"uuid": uuid(number)})
        return self._result.call(request, GENEROUS)


class Folding:
    """Takes goals unless told otherwise, and cancels at once."""

    def __init__(self):
        self.goals = []
        self.accepts = self.cancels = True
        self.server = None
        self.why = None
        self.complaints = []

    def accept(self, goal, _message):
        if isinstance(self.accepts, Exception):
            raise self.accepts
        if self.accepts:
            self.goals.append(goal)
        else:
            goal.result = self.why
        return self.accepts

    def cancel(self, goal):
        if self.cancels:
            self.server.finish(goal, GoalStatus.CANCELED, {})
        return self.cancels


@pytest.fixture
def folding(local):
    work = Folding()
    work.server = ActionServer(
        "fold",
        ACTION,
        local("arm"),
        accept=work.accept,
        cancel=work.cancel,
        why=lambda text: {"error_code": INVALID_GOAL, "error_string": text},
        complain=work.complaints.append,
    )
    yield work
    work.server.close()


@pytest.fixture
def peer(local, folding):
    return Peer(local("peer"))


def test_result_is_waited_for_while_other_calls_are_answered(folding, peer, poll):
    assert peer.send(1)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(peer.result, 1)
        assert peer.send(2)
        assert not waiting.done()
        folding.server.finish(folding.goals[0], GoalStatus.SUCCEEDED, SUCCEEDED)
        answer = waiting.result(GENEROUS)
    assert answer.status == GoalStatus.SUCCEEDED
    assert answer.result.error_string == "fine"
    poll(lambda: peer.statuses and peer.statuses[-1] == [4, 2])


def test_rejected_goals_leave_no_trace(folding, peer, caplog):
    folding.accepts = False
    assert not peer.send(1)
    folding.accepts = ValueError("broken")
    assert not peer.send(2)
    assert "broken" in caplog.text
    answer = peer.result(2)
    assert answer.status == GoalStatus.UNKNOWN
    assert answer.result.error_code == INVALID_GOAL
    assert "broken" in answer.result.error_string
    (complaint,) = folding.complaints
    assert complaint == f"fold rejected: {answer.result.error_string}"
    folding.accepts = True
    assert peer.send(1)


def test_a_rejected_goal_has_a_result_that_says_why(folding, peer, poll):
    folding.accepts = False
    for number in range(KEPT_GOALS + 1):
        folding.why = {"error_code": -1, "error_string": f"no {number}"}
        assert not peer.send(number)
    answer = peer.result(KEPT_GOALS)
    assert answer.status == GoalStatus.UNKNOWN
    assert (answer.result.error_code, answer.result.error_string) == (-1, f"no {KEPT_GOALS}")
    forgotten = peer.result(0).result
    assert forgotten.error_code == INVALID_GOAL
    assert forgotten.error_string == "no goal of this id is known"
    assert peer.cancel(KEPT_GOALS) == (CancelCode.UNKNOWN_GOAL_ID, [])
    folding.accepts = True
    assert peer.send(KEPT_GOALS)
    poll(lambda: peer.statuses and peer.statuses[-1] == [GoalStatus.EXECUTING])
    folding.server.finish(folding.goals[0], GoalStatus.SUCCEEDED, SUCCEEDED)
    assert peer.result(KEPT_GOALS).result.error_string == "fine"


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ({"error_code": -1, "error_string": "no elbow"}, "/arm/fold rejected the goal: no elbow"),
        ({}, "/arm/fold rejected the goal; its node does not say why"),
    ],
)
def test_a_client_tells_why(folding, local, why, told):
    folding.accepts, folding.why = False, why
    call = ActionCall(local("caller"), ActionInfo("/arm/fold", ACTION), lambda _: None)
    with pytest.raises(RejectedGoalError) as caught:
        call.send({}, GENEROUS)
    assert str(caught.value) == told


def test_an_identifier_is_taken_once(folding, peer):
    assert peer.send(1)
    assert not peer.send(1)
    assert len(folding.goals) == 1


def test_cancel(folding, peer):
    assert peer.cancel(7) == (CancelCode.UNKNOWN_GOAL_ID, [])
    assert peer.cancel() == (CancelCode.NONE, [])
    for number in (1, 2, 3):
        assert peer.send(number)
    assert peer.cancel(2) == (CancelCode.NONE, [2])
    assert peer.result(2).status == GoalStatus.CANCELED
    assert peer.cancel(2) == (CancelCode.GOAL_TERMINATED, [])
    assert peer.cancel(stamp={"sec": 1}) == (CancelCode.NONE, [])
    assert peer.cancel() == (CancelCode.NONE, [1, 3])
    assert peer.send(4)
    assert peer.cancel(stamp={"sec": 2**31 - 1}) == (CancelCode.NONE, [4])
    assert peer.send(5)
    folding.cancels = False
    assert peer.cancel(5) == (CancelCode.REJECTED, [])
    assert folding.goals[-1].status is GoalStatus.EXECUTING


def test_feedback_reaches_who_listens(folding, peer, poll):
    assert peer.send(9)
    folding.server.publish_feedback(folding.goals[0], {"joint_names": ["a"]})
    message = poll(lambda: peer.feedback)[0]
    assert bytes(message.goal_id.uuid) == bytes([9] * 16)
    assert message.feedback.joint_names == ["a"]


def test_late_subscribers_hear_the_status(folding, peer, local, poll):
    assert peer.send(1)
    late = Peer(local("late"))
    poll(lambda: late.statuses)
    assert late.statuses[0] == [GoalStatus.EXECUTING]
    assert len(folding.goals) == 1


def test_closing_answers_who_waits(folding, peer, poll):
    assert peer.send(1)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(peer.result, 1)
        poll(lambda: folding.goals[0].asking)
        folding.server.close()
        answer = waiting.result(GENEROUS)
    assert answer.status == GoalStatus.ABORTED
    assert answer.result.error_string == "the controller ends"


def test_results_come_in_the_order_in_which_goals_end(folding, peer, poll):
    assert peer.send(1)
    assert peer.send(2)
    with ThreadPoolExecutor(3) as pool:
        first, twice, second = (pool.submit(peer.result, number) for number in (1, 1, 2))
        poll(lambda: sum(len(goal.asking) for goal in folding.goals) == 3)
        folding.server.finish(folding.goals[1], GoalStatus.SUCCEEDED, SUCCEEDED)
        assert second.result(GENEROUS).status == GoalStatus.SUCCEEDED
        assert not first.done()
        folding.server.finish(folding.goals[0], GoalStatus.ABORTED, {})
        assert first.result(GENEROUS).status == twice.result(GENEROUS).status == GoalStatus.ABORTED


def test_many_who_ask_for_one_result_are_bounded(folding, peer):
    assert peer.send(1)
    request = new(f"{ACTION}_GetResult_Request", goal_id={"uuid": [1] * 16})
    asked = [folding.server._get_result(request) for _ in range(MOST_ASKING + 5)]
    answers = []
    for later in asked:
        later.send_by(answers.append)
    folding.server.finish(folding.goals[0], GoalStatus.SUCCEEDED, SUCCEEDED)
    assert len(answers) == MOST_ASKING


def test_results_of_goals_that_are_replaced_are_kept(folding, peer, monkeypatch):
    """As a client that streams goals finds them: 20 a second, each of which ends the one before."""
    now = [1000.0]
    monkeypatch.setattr(action_server.time, "monotonic", lambda: now[0])
    count = 60
    for number in range(1, count + 1):
        now[0] += 0.05
        assert peer.send(number)
        if number > 1:
            folding.server.finish(folding.goals[-2], GoalStatus.ABORTED, SUCCEEDED)
    for number in range(1, count):
        assert peer.result(number).status == GoalStatus.ABORTED
    assert len(peer.statuses[-1]) <= SHOWN_GOALS + 1
    now[0] += RESULT_TIMEOUT - 1.0
    folding.server.finish(folding.goals[-1], GoalStatus.SUCCEEDED, SUCCEEDED)
    assert peer.result(count - 1).status == GoalStatus.ABORTED
    now[0] += 2.0
    assert peer.send(count + 1)
    folding.server.finish(folding.goals[-1], GoalStatus.SUCCEEDED, SUCCEEDED)
    assert peer.result(1).status == GoalStatus.UNKNOWN
    assert peer.result(count).status == GoalStatus.SUCCEEDED


def test_old_results_are_forgotten(folding, peer):
    for number in range(1, KEPT_GOALS + 3):
        assert peer.send(number)
        folding.server.finish(folding.goals[-1], GoalStatus.SUCCEEDED, SUCCEEDED)
    assert peer.result(1).status == GoalStatus.UNKNOWN
    assert peer.result(KEPT_GOALS + 2).status == GoalStatus.SUCCEEDED
