"""Friction compensation: what the model says, what the observer sees, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots_for_tests import DREAMER_URDF, REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands
from tries import tries

from controlit_ros.configuration import ConfigurationError
from controlit_ros.constraints import Coupling
from controlit_ros.controllers.friction_compensation import described_friction
from controlit_ros.kernels import friction_effort
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.running_configuration import running_text

pytestmark = pytest.mark.simulation

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
TALOS = REPOSITORY / "config" / "talos" / "stand.yaml"
SECTION = "friction_compensation"
WATCHING = {"method": "observer", "limit": 0.1, "share": 0.0}
SIZES = st.floats(-3.0, 2.0).map(lambda power: 10.0**power)


def with_section(**values):
    def edit(data):
        data[SECTION] = values

    return edit


def friction(velocity, *values):
    effort = np.zeros(1)
    friction_effort(np.array([velocity]), *(np.array([value]) for value in values), effort)
    return effort.item()


@settings(max_examples=tries(60), deadline=None)
@given(SIZES, SIZES, SIZES, SIZES, st.floats(0.001, 0.1))
def test_the_model_is_odd_smooth_and_tends_to_coulomb_and_viscous_friction(
    coulomb, breakaway, stribeck, viscous, smooth
):
    values = (coulomb, breakaway, stribeck, viscous, smooth)
    assert friction(0.0, *values) == 0.0
    fast = 100.0 * (stribeck + smooth)
    assert friction(fast, *values) == pytest.approx(coulomb + viscous * fast, rel=1e-9)
    largest = max(coulomb, breakaway)
    for velocity in np.linspace(0.0, fast, 50):
        found = friction(velocity, *values)
        assert friction(-velocity, *values) == -found
        assert 0.0 <= found <= largest + viscous * velocity + 1e-9
    # a step of the velocity makes no step of the effort
    step = 1e-3 * smooth
    assert friction(step, *values) <= largest * 1.01e-3 + viscous * step


def urdf_with(joint, **dynamics):
    values = " ".join(f'{key}="{value}"' for key, value in dynamics.items())
    before, after = DREAMER_URDF.split(f'<joint name="{joint}"')
    return (
        f'{before}<joint name="{joint}"{after.replace("<limit", f"<dynamics {values}/><limit", 1)}'
    )


def test_friction_of_the_urdf_and_of_slaves():
    robot = RobotDescription(urdf_with("left_elbow", friction=0.4, damping=0.2))
    dry, viscous = described_friction(robot, ())
    elbow = robot.command_joints.index("left_elbow")
    assert (dry[elbow], viscous[elbow]) == (0.4, 0.2)
    assert dry.sum() == 0.4
    coupling = Coupling("torso_lower_pitch", "torso_upper_pitch", -2.0)
    robot = RobotDescription(urdf_with("torso_upper_pitch", friction=0.3, damping=0.1))
    robot = robot.with_slaves(["torso_upper_pitch"])
    dry, viscous = described_friction(robot, [coupling])
    torso = robot.command_joints.index("torso_lower_pitch")
    np.testing.assert_allclose((dry[torso], viscous[torso]), (0.6, 0.4))


def complaint(path=HANDS, add=None, **values):
    def edit(data):
        data[SECTION] = values
        if add is not None:
            add(data)

    with pytest.raises(ConfigurationError) as error:
        SimulatedHands(path, edit)
    return str(error.value)


def push(data):
    """Add a task that pushes."""
    force = {"name": "Push", "type": "ExternalForce", "body": "right_wrist_yaw"}
    data["tasks"].append(force)
    data["compound_task"].append({"name": "Push", "priority": 2, "operational_state": "disable"})


def test_what_makes_no_sense_is_refused():
    assert "no friction in the dynamics of the URDF" in complaint()
    assert "largest effort that the observer may add" in complaint(method="observer")
    text = complaint(method="observer", limit=1.0, add=push)
    assert "force task Push" in text
    assert "friction_compensation.method" in text
    assert "did you mean 'coulomb'" in complaint(colomb=1.0)
    assert "left_elbow" in complaint(coulomb={"left_elbo": 1.0})
    stack = SimulatedHands(HANDS, lambda d: (with_section(coulomb=0.5)(d), push(d))).stack
    assert stack.friction is not None


def observed(run):
    return run.stack.friction.observed.value.copy()


@pytest.mark.parametrize("delay", [0.0, 0.004])
def test_the_observer_sees_what_disturbs_each_joint(delay):
    """Torques that MuJoCo adds to joints, while the robot rests and while it yields to them."""
    run = SimulatedHands(
        HANDS,
        with_section(**WATCHING),
        {"simulator.communication_delay": delay},
    )
    robot, simulation = run.stack.robot, run.stack.robot_interface.simulation
    run.advance(300)
    np.testing.assert_allclose(observed(run), 0.0, atol=0.02)
    torques = np.zeros(len(robot.command_joints))
    for joint, torque in (("left_elbow", 1.5), ("right_shoulder_extensor", -2.0)):
        torques[robot.command_joints.index(joint)] = torque
        simulation.data.qfrc_applied[simulation.model.joint(joint).dofadr] = torque
    run.advance(100)  # three time constants, while the arms are moving
    np.testing.assert_allclose(observed(run), torques, atol=0.15)
    run.advance(1500)
    np.testing.assert_allclose(observed(run), torques, atol=0.03)


@needs_example_robots
def test_forces_of_contacts_are_no_disturbance():
    """Talos on its feet: a ton of reactions, and nothing of them in the estimate."""
    settings = {f"{SECTION}.{key}": value for key, value in WATCHING.items()}
    run = SimulatedHands(TALOS, None, settings)
    run.advance(1500)
    effort = np.abs(run.coordinator.command.effort).max()
    assert effort > 30.0
    assert np.abs(observed(run)).max() < 0.05 * effort


def test_what_is_added_is_bounded_ramped_and_told():
    run = SimulatedHands(
        HANDS,
        with_section(method="both", coulomb=0.5, limit=0.2, scale=0.8, share=0.5),
        {"soft_start_time": 0.0, "simulator.joint_friction": 0.5},
    )
    part = run.stack.friction
    run.stack.clock.advance(2)
    task = run.tasks["RightHandPosition"]
    task.goal.set(task.active.actual + np.array([0.1, 0.0, 0.1]))
    last = part.added.value.copy()
    for k in range(600):
        run.advance(1)
        added = part.added.value.copy()
        assert np.abs(added).max() <= 0.8 * 0.5 + 0.5 * 0.2 + 1e-12
        assert np.abs(added).max() <= (0.5 + 0.2) * (k + 4) * 1e-3 / 0.2
        assert np.abs(added - last).max() < 0.15
        last = added
    assert np.abs(last).max() > 0.3
    moving = run.coordinator.command.effort
    np.testing.assert_allclose(part.net(moving), moving - last)
    part.scale.set(0.0)
    part.share.set(0.0)
    run.advance(300)
    np.testing.assert_array_equal(part.added.value, 0.0)


def test_nothing_is_added_in_the_safe_state_and_it_begins_anew():
    run = SimulatedHands(HANDS, with_section(method="both", coulomb=0.5, limit=0.5))
    run.advance(50)
    part = run.stack.friction
    run.coordinator.request_deactivation()
    run.stack.clock.advance(5)
    run.coordinator.request_activation()
    run.stack.clock.advance(1)
    assert np.abs(part.added.value).max() < 0.01
    effort = run.coordinator.command.effort
    np.testing.assert_allclose(part.net(effort), effort - part.added.value)


def test_it_is_saved_with_the_controller(tmp_path):
    run = SimulatedHands(HANDS, with_section(coulomb={"left_elbow": 0.7}))
    run.stack.friction.scale.set(0.4)
    run.stack.friction.coulomb.set({"right_elbow": 0.2})
    path = tmp_path / "saved.yaml"
    path.write_text(running_text(run.stack))
    saved = load_stack(path).friction
    assert saved.scale.value == 0.4
    np.testing.assert_array_equal(saved.coulomb.value, run.stack.friction.coulomb.value)


@pytest.mark.parametrize("dry", [5.0, 100.0])
def test_friction_that_is_not_there_carries_no_joint_past_its_speed(dry):
    """Limits do not rely on what is claimed while the robot moves; 13 rad/s where they did."""

    def edit(data):
        ideal = ("position_noise", "velocity_noise", "communication_delay")
        data["simulator"] |= dict.fromkeys(ideal, 0.0)

    run = SimulatedHands(HANDS.with_name("hands_with_friction.yaml"), edit)
    stack, simulation = run.stack, run.stack.robot_interface.simulation
    drives = simulation._drive_velocities
    fastest = stack.robot.velocity_limits[stack.robot.command_indices]
    run.advance(1200)
    largest = np.zeros(len(fastest))
    right, left = run.tasks["RightHandPosition"], run.tasks["LeftHandPosition"]
    for goals in (
        {right.goal: [0.5, -0.2, 1.3], left.goal: [0.5, 0.2, 1.3]},
        {stack.friction.coulomb: dry},
        {right.goal: [0.2, -0.6, 0.8]},
        {right.goal_velocity: [10.0, -10.0, 10.0]},
    ):
        run.mailbox.post(goals)
        for _ in range(250):
            stack.clock.advance(1)
            np.maximum(largest, np.abs(simulation.data.qvel[drives]), out=largest)
    # the friction that the file states may still be relied on, and is not there at once
    assert (largest / fastest).max() <= 1.15, (largest / fastest).round(3)
