"""A program that steers a controller, in step with it."""

import numpy as np
import pytest

from controlit_ros.client import MotionState, RefusedError


@pytest.mark.thorough
def test_ten_lines_move_a_hand(hands, meet):
    with meet(hands, "dreamer_controller") as robot:
        hand = robot.task("RightHandPosition")
        start = hand.goal
        goal = start + np.array([0.05, 0.0, 0.05])
        motion = hand.move_to(goal, duration=1.0)
        assert motion.wait(timeout=3.0) is MotionState.ARRIVED
        robot.wait_for("RightHandConverged", timeout=5.0)
        np.testing.assert_allclose(hand.goal, goal, atol=1e-12)
        np.testing.assert_allclose(hand.actual, goal, atol=0.005)
        assert hand.error_norm < 0.005
    # whoever leaves leaves the robot where it is
    hands.wait(lambda: False, 0.5)
    np.testing.assert_allclose(hands.tasks["RightHandPosition"].goal.value, goal, atol=1e-12)
    assert hands.tasks["RightHandPosition"].error_norm.value < 0.005


def test_goals_are_those_of_the_path_with_their_derivatives(still, meet):
    robot = meet(still)
    task = still.tasks["Posture"]
    posture = robot.task("Posture")
    posture.goal = {"left_elbow": 0.2}
    elbow = posture.labels.index("left_elbow")
    motion = posture.move_to({"left_elbow": 0.7}, duration=1.0)
    begin, times, seen = still.now(), [], []
    while not motion.done:
        times.append(still.now() - begin)
        still.step()
        parameters = (task.goal, task.goal_velocity, task.goal_acceleration)
        seen.append([parameter.value[elbow] for parameter in parameters])
    # the textbook's x(t) = 10 t³ − 15 t⁴ + 6 t⁵ (Flash and Hogan 1985)
    x = np.array(times[:-1])
    expected = np.column_stack(
        [
            0.2 + 0.5 * (10 * x**3 - 15 * x**4 + 6 * x**5),
            0.5 * (30 * x**2 - 60 * x**3 + 30 * x**4),
            0.5 * (60 * x - 180 * x**2 + 120 * x**3),
        ]
    )
    assert len(x) > 90
    np.testing.assert_allclose(seen[:-1], expected, atol=1e-9)
    assert task.goal.value[elbow] == pytest.approx(0.7)
    assert not task.goal_velocity.value.any()


def test_it_tells_what_holds_the_tasks_back(hands, meet):
    robot = meet(hands)
    hand = robot.task("RightHandPosition")
    assert robot.explain().state == "active"
    hand.goal = hand.goal + np.array([5.0, 0.0, 0.0])  # [m]
    hands.wait(lambda: False, 0.05)
    (account,) = robot.explain("RightHandPosition").tasks
    assert "reach" in [cause.kind.value for cause in account.causes]
    assert account.error[0] == pytest.approx(5.0, abs=0.1)
    with pytest.raises(RefusedError, match="did you mean 'Posture'"):
        robot.explain("Postur")
