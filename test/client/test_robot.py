"""A program that steers a controller, in step with it."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.client import ClientError, ControllerLostError, MotionState, RefusedError, watch
from controlit_ros.client import link as client_link
from controlit_ros.transport import Graph

AT_REST = 1e-6  # [rad/s]


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
    while motion.is_moving:
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


@pytest.mark.thorough
def test_frames_are_where_the_model_has_them(hands, meet):
    """Beside Pinocchio, at the joints the client measures, and beside what a task measures."""
    robot = meet(hands)
    hand = robot.task("RightHandPosition")
    hand.move_to(hand.goal + np.array([0.05, 0.0, 0.1]), duration=0.5).wait()
    # time passes from one answer to the next, so all of them are of a robot at rest
    assert hands.wait(lambda: np.abs(robot.joints.velocity).max() < AT_REST, 10.0)
    wrist, torso = robot.frame("right_wrist_yaw"), robot.frame("torso_upper_pitch")
    np.testing.assert_allclose(wrist.position, hand.actual, atol=1e-6)
    model = pin.buildModelFromXML(hands.stack.robot.urdf, pin.JointModelFreeFlyer())
    data, q = model.createData(), pin.neutral(model)
    for name, position in zip(robot.joints.names, robot.joints.position, strict=True):
        q[model.joints[model.getJointId(name)].idx_q] = position
    pin.framesForwardKinematics(model, data, q)
    placements = {
        name: data.oMf[model.getFrameId(name, pin.FrameType.JOINT)]
        for name in ("right_wrist_yaw", "torso_upper_pitch")
    }
    np.testing.assert_allclose(wrist.position, placements["right_wrist_yaw"].translation, atol=1e-6)
    relative = robot.frame("right_wrist_yaw", reference="torso_upper_pitch")
    expected = placements["torso_upper_pitch"].inverse() * placements["right_wrist_yaw"]
    np.testing.assert_allclose(relative.position, expected.translation, atol=1e-6)
    turn = pin.Quaternion(*relative.orientation[[3, 0, 1, 2]]).matrix()
    np.testing.assert_allclose(turn, expected.rotation, atol=1e-6)
    everything = robot.frames()
    np.testing.assert_allclose(everything["torso_upper_pitch"].position, torso.position, atol=1e-6)
    assert set(hands.stack.robot.frame_names) == set(everything)
    with pytest.raises(RefusedError, match="did you mean 'right_wrist_yaw"):
        robot.frame("right_wrist_yawn")


def test_services_that_are_known_late_are_waited_for(still, meet, monkeypatch):
    """As a busy machine tells of them, one after the other, after the controller itself."""
    robot = meet(still)
    link = robot.session.link
    graph, looks = link.transport.graph, []

    def growing():
        found = graph()
        looks.append(found)
        if len(looks) > 3:
            return found
        services = tuple(s for s in found.services if not s.name.endswith("/get_parameters"))
        return replace(found, services=services)

    monkeypatch.setattr(link.transport, "graph", growing)
    assert robot.parameters["Posture.kp"][0] == 64.0
    assert len(looks) > 3
    monkeypatch.setattr(client_link, "KNOWN_TIME", 0.05)
    with pytest.raises(ClientError, match="cli_still has no service nothing"):
        link.serving("nothing")


def test_services_that_left_with_their_controller_are_a_loss(still, meet, monkeypatch):
    """Also where the program asks before it has looked whether the controller is there."""
    robot = meet(still)
    link = robot.session.link
    monkeypatch.setattr(watch, "LOOK_PERIOD", 0.0)
    monkeypatch.setattr(link.transport, "graph", Graph)
    with pytest.raises(ControllerLostError, match="lost"):
        link.serving("get_parameters")
