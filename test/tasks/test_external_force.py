"""A body exerts what is commanded: in the equations, and on a wall in MuJoCo."""

import numpy as np
import pytest
from contact_oracles import World, inertial, joint
from robots_for_tests import configured, dreamer, random_state, updated

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.external_force import ExternalForce
from controlit_ros.tasks.joint_position import JointPosition

WALL = 0.55  # [m]
PUSH = 25.0  # [N]


def arm():
    links = [f'<link name="base">{inertial(5, (0.2, 0.2, 0.2))}</link>']
    for i in range(3):
        links.append(f'<link name="link_{i}">{inertial(2.0, (0.06, 0.06, 0.3), (0, 0, 0.15))}')
        if i == 2:
            tip = '<origin xyz="0 0 0.3"/><geometry><sphere radius="0.02"/></geometry>'
            links.append(f"<collision>{tip}</collision>")
        links.append("</link>")
        parent = "base" if i == 0 else f"link_{i - 1}"
        origin = (0, 0, 0.1) if i == 0 else (0, 0, 0.3)
        links.append(joint(f"joint_{i}", parent, f"link_{i}", (0, 1, 0), origin))
    return f'<robot name="arm">{"".join(links)}</robot>'


def press(*, push, seconds=2.5, sensed=False, payload=0.0, rate=0.0):
    """Let the arm press on a wall in MuJoCo; return the force along x at each step."""
    plain = RobotDescription(arm())
    base = configured(FlatContact("base_contact", plain), body="base")
    tip = configured(PointContact("tip", plain), body="link_2", contact_point=[0, 0, 0.3])
    tip.operational_state.set("disable")
    description = plain.with_contacts([base.site, tip.site])
    model = ConstrainedModel(description, ConstraintSet([base, tip]))
    force = configured(
        ExternalForce("push", description),
        body="link_2",
        control_point=[0, 0, 0.3],
        axes=["x"],
        goal_wrench={"x": push},
        kd=40.0,
        max_rate=rate,
        **({"contact": "tip", "ki": 4.0} if sensed else {}),
    )
    height = configured(
        CartesianPosition("height", description),
        body="link_2",
        control_point=[0, 0, 0.3],
        axes=["z"],
        kp=200.0,
        kd=28.0,
    )
    posture = configured(JointPosition("posture", description), kp=50.0, kd=14.0)
    tasks = [force, height, posture]
    force.priority.set(2)
    height.priority.set(1)
    wall = ([WALL, 0, 0], [0.7071068, 0, -0.7071068, 0])
    # with friction the lower levels could lean on the wall
    world = World(description, [wall], floats=False, friction=False)
    if payload:
        world.model.body("link_2").mass[0] += payload
    state = RobotState(description.real_joints, contacts=2)
    state.position[:] = [0.3, 0.9, 0.6]
    world.place(state)
    compound = CompoundTask(tasks)
    controller = WBOSC(description, sum(task.rows for task in tasks))
    command = controller.create_command()
    forces = []
    for i in range(int(seconds * 1000)):
        world.measure(state)
        point = np.zeros(3)
        wall = world.contact_wrench("link_2", point)
        forces.append(-wall[0])
        state.contact_wrench[1] = wall
        model.update(state)
        for task in tasks:
            task.update(model.robot_model, task.inactive)
            task.swap()
        if i == 0:
            height.latch_goal()
            posture.latch_goal()
        compound.compute(1e-3)
        controller.compute_command(model, compound, command)
        world.step(command.effort)
    return np.array(forces)


@pytest.mark.thorough
def test_a_wall_feels_the_commanded_force():
    for push in (PUSH, 60.0):
        assert press(push=push)[-300:].mean() == pytest.approx(push, rel=0.02)


@pytest.mark.thorough
def test_what_the_model_does_not_know_is_made_up_for_by_the_measured_force():
    blind = press(push=PUSH, payload=1.0)[-300:].mean()
    assert abs(blind - PUSH) > 0.05 * PUSH
    seen = press(push=PUSH, payload=1.0, sensed=True, seconds=4.0)[-300:].mean()
    assert seen == pytest.approx(PUSH, rel=0.02)


def test_the_force_does_not_step_with_a_limited_rate(dreamer_description, rng):
    task = configured(
        ExternalForce("push", dreamer_description),
        body="left_wrist_yaw",
        goal_wrench=[30.0, 0, 0, 0, 0, 0],
        max_rate=100.0,
    )
    compound = CompoundTask([task])
    model = updated(dreamer_description, random_state(dreamer_description, rng))
    for i in range(1, 400):
        task.update(model, task.inactive)
        task.swap()
        compound.compute(1e-3)
        assert compound.command[0] == pytest.approx(min(0.1 * i, 30.0))
        np.testing.assert_array_equal(compound.is_force, [True] * 3)
    task.operational_state.set("disable")
    compound.compute(1e-3)
    task.operational_state.set("enable")
    task.update(model, task.inactive)
    task.swap()
    compound.compute(1e-3)
    assert compound.command[0] == pytest.approx(0.1)


def test_forces_and_moments_in_the_axes_of_a_body(rng):
    robot = dreamer()
    task = configured(
        ExternalForce("push", robot),
        body="left_wrist_yaw",
        control_point=[0.1, 0.0, 0.2],
        frame="torso_lower_pitch",
        axes=["z", "moment_x"],
        goal_wrench={"z": 5.0, "moment_x": 2.0},
        max_speed=0.0,
    )
    compound = CompoundTask([task])
    model = updated(robot, random_state(robot, rng))
    task.update(model, task.inactive)
    task.swap()
    compound.compute(1e-3)
    axes = model.placement(robot.frame_id("torso_lower_pitch")).rotation
    placement = model.placement(robot.frame_id("left_wrist_yaw"))
    J = model.jacobian(robot.frame_id("left_wrist_yaw"))
    arm_of_force = placement.act(np.array([0.1, 0.0, 0.2])) - placement.translation
    force, moment = axes @ [0, 0, 5.0], axes @ [2.0, 0, 0]
    wrench = np.concatenate([force, moment + np.cross(arm_of_force, force)])
    np.testing.assert_allclose(compound.jacobian.T @ compound.command, J.T @ wrench, atol=1e-10)


def test_an_unknown_contact_is_reported(dreamer_description):
    with pytest.raises(ParameterError, match=r"push\.contact: unknown contact 'tip'; there is non"):
        configured(ExternalForce("push", dreamer_description), contact="tip")
