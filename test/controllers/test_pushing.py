"""What a robot pushes on gives the force back: push and reaction move nothing."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, chain, configured, random_robots
from test_wbosc import (
    Setup,
    achieved,
    dreamer_setup,
    is_clear_cut,
    position,
    random_setup,
    textbook,
)
from test_whole_body_qp import bent

from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.controllers.kinematic import Kinematic
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.controllers.wbosc_impedance import WBOSCImpedance
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.tasks.external_force import COMPONENTS, ExternalForce
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = pytest.mark.simulation

CONTROLLERS = (WBOSC, WBOSCImpedance)
LARGE = 1e9  # [N m] no effort limit


def push_task(description, rng, **parameters):
    """Return a push at a random point in some directions, at any speed."""
    count = int(rng.integers(1, 4))
    return configured(
        ExternalForce("push", description),
        **{
            "control_point": rng.uniform(-0.3, 0.3, 3),
            "axes": rng.permutation(COMPONENTS)[:count].tolist(),
            "goal_wrench": rng.uniform(-100.0, 100.0, 6),
            "max_speed": 0.0,
            **parameters,
        },
    )


def with_push(setup, push, controller=WBOSC, **parameters):
    """Return a setup with one more task and its own controller."""
    constraints = setup.model.constraints.constraints
    tasks = (*setup.tasks, push)
    if parameters.pop("limits", False) and JointLimit("any", setup.description).dimension:
        ends = configured(JointLimit("ends", setup.description), margin=1.0, priority=9)
        tasks = (ends, *tasks)
    sites = [c.site for c in constraints if isinstance(c, ContactConstraint)]
    result = Setup(setup.description.with_contacts(sites), constraints, tasks)
    result.model.constraints.with_reactions = True  # as the push asks for
    result.controller = controller(setup.description, sum(t.rows for t in tasks))
    result.controller.singularity_handling.set("truncate")  # random robots at random postures
    limits = result.controller.limits
    result.controller.limits = limits._replace(effort=np.full(len(limits.effort), LARGE))
    if parameters.pop("is_kinematic", False):
        result.controller.null_space_projector = Kinematic()
    for name, value in parameters.items():
        result.controller.parameter(name).set(value)
    result.controller.configure(result.compound)
    result.command = result.controller.create_command()
    return result


def rows_of(push):
    """Return Jacobian, bias and force of the directions a push acts in."""
    P = push.projection
    return P @ push.active.jacobian, P @ push.active.bias, P @ push.goal.value


def reaction(setup, state, effort, acceleration, rows):
    """Return what a wall exerts along rows, `(k,)`, from the equations of motion."""
    free = setup.acceleration(state, effort)
    A = setup.model.robot_model.A
    both = np.vstack([setup.model.Jc, rows])
    change = A @ (acceleration - free)
    return np.linalg.lstsq(both.T, change, rcond=None)[0][len(setup.model.Jc) :]


@given(
    robot=random_robots(min_joints=3),
    seed=SEEDS,
    controller=st.sampled_from(CONTROLLERS),
    level=st.integers(0, 3),
    settings=st.fixed_dictionaries(
        {
            "reach_lower_levels": st.booleans(),
            "limits": st.booleans(),
            "is_kinematic": st.booleans(),
            "velocity_bias": st.booleans(),
            "singularity_handling": st.sampled_from(["truncate", "damp"]),
        }
    ),
)
def test_a_push_on_what_holds_moves_nothing(robot, seed, controller, level, settings):
    plain, rng = random_setup(robot, seed)
    push = push_task(plain.description, rng, body=rng.choice(robot.links), priority=level)
    setup = with_push(plain, push, controller, **settings)
    state = setup.consistent_state(rng)
    pushing = setup.effort(state)
    J, bias, force = rows_of(push)
    push.goal.set(np.zeros(6))
    setup.controller.restart()
    resting = setup.compute()
    held = (J, bias)
    moved = setup.acceleration(state, resting, held=held)
    found = setup.acceleration(state, pushing, held=held)
    assume(is_clear_cut(setup.model.Phi))
    assume(len(moved) - setup.model.rank == setup.model.task_map.shape[1])
    scale = 1.0 + np.abs(moved).max() + np.abs(force).max()
    np.testing.assert_allclose(found, moved, atol=1e-6 * scale)
    both = np.vstack([setup.model.Jc, J])
    assume(
        np.linalg.matrix_rank(both, 1e-3) == np.linalg.matrix_rank(setup.model.Jc, 1e-9) + len(J)
    )
    change = reaction(setup, state, pushing, found, J) - reaction(setup, state, resting, moved, J)
    np.testing.assert_allclose(change, -force, atol=1e-5 * scale)


@given(random_robots(min_joints=3), SEEDS, st.booleans())
def test_what_actuators_cannot_hold_of_a_push_disturbs_no_top_level(robot, seed, reach):
    plain, rng = random_setup(robot, seed, grounded=False, passive=robot.moving[2:3])
    state = plain.consistent_state(rng)
    plain.effort(state)
    expected = textbook(plain)
    assume(expected.is_clear_cut)
    body = rng.choice(robot.links)
    push = push_task(plain.description, rng, body=body, priority=0)
    for task in plain.tasks:
        task.priority.set(task.priority.value + 1)
    setup = with_push(plain, push, reach_lower_levels=reach)
    effort = setup.effort(state)
    vdot = setup.acceleration(state, effort, load=setup.compound.load)
    top = setup.compound.levels[0]
    found = setup.compound.jacobian[top.rows] @ vdot + setup.compound.bias[top.rows]
    missing = found - setup.compound.command[top.rows]
    scale = 1.0 + np.abs(setup.compound.command).max()
    np.testing.assert_allclose(expected.kept[0].T @ missing, 0.0, atol=1e-6 * scale)


def posture(description):
    return [configured(JointPosition("posture", description), priority=0, kp=10.0)]


def pushing_dreamer(level, others=lambda _: (), **settings):
    def tasks(description):
        hold = {"kp": 20.0, "goal_position": [0.3, 0.3, 1.0]}
        return [
            position(description, "hand", 5, **hold),
            position(description, "other", 2, body="right_wrist_yaw", axes=["y", "z"], kp=9.0),
            *others(description),
        ]

    plain = dreamer_setup(tasks)
    push = {"body": "right_wrist_yaw", "axes": ["x"], "goal_wrench": [30.0, 0, 0, 0, 0, 0]}
    rng = np.random.default_rng(4)
    task = push_task(plain.description, rng, priority=level, **push)
    return with_push(plain, task, **settings), rng


@pytest.mark.parametrize("level", [0, 2, 9])
@pytest.mark.parametrize("controller", CONTROLLERS)
def test_others_move_as_commanded_while_a_hand_pushes(level, controller):
    setup, rng = pushing_dreamer(level, controller=controller, reach_lower_levels=True)
    state = setup.consistent_state(rng, speed=0.3)
    effort = setup.effort(state)
    J, bias, force = rows_of(setup.tasks[-1])
    vdot = setup.acceleration(state, effort, held=(J, bias))
    np.testing.assert_allclose(reaction(setup, state, effort, vdot, J), -force, rtol=1e-6)
    for task in setup.tasks[:-1]:
        P = np.eye(3) if task.projection is None else task.projection
        reached = P @ (task.active.jacobian @ vdot + task.active.bias)
        np.testing.assert_allclose(reached, P @ task.command.value, atol=1e-6)


@pytest.mark.parametrize("level", [0, 2, 9])
def test_a_quadratic_program_pushes_as_well(level):
    setup, rng = pushing_dreamer(level, posture, controller=WholeBodyQP, level_weight=100.0)
    state = bent(setup, rng)
    pushing = setup.effort(state)
    J, bias, force = rows_of(setup.tasks[-1])
    setup.tasks[-1].goal.set(np.zeros(6))
    resting = setup.compute()
    found = setup.acceleration(state, pushing, held=(J, bias))
    moved = setup.acceleration(state, resting, held=(J, bias))
    np.testing.assert_allclose(found, moved, atol=1e-3)
    change = reaction(setup, state, pushing, found, J) - reaction(setup, state, resting, moved, J)
    np.testing.assert_allclose(change, -force, rtol=1e-4)


def test_a_higher_level_that_moves_the_hand_does_not_press_it_on_the_wall():
    """As published no level makes up for those above; what a wall holds, nothing can move."""
    setup, rng = pushing_dreamer(0)
    state = setup.consistent_state(rng, speed=0.3)
    effort = setup.effort(state)
    J, bias, force = rows_of(setup.tasks[-1])
    vdot = setup.acceleration(state, effort, held=(J, bias))
    np.testing.assert_allclose(reaction(setup, state, effort, vdot, J), -force, rtol=1e-6)
    top = setup.tasks[0]
    reached = top.active.jacobian @ vdot + top.active.bias
    np.testing.assert_allclose(reached, top.command.value, atol=1e-6)


def test_a_push_goes_through_the_jacobian(rng):
    setup, _ = pushing_dreamer(0)
    for task in setup.tasks[:-1]:
        task.operational_state.set("disable")
    state = setup.consistent_state(rng, speed=0.0)
    effort = setup.effort(state) - setup.model.bias_effort
    J, _, force = rows_of(setup.tasks[-1])
    np.testing.assert_allclose(effort, setup.model.UNc_bar.T @ J.T @ force, atol=1e-9)


def test_motion_beside_a_force_of_the_same_level_comes_first():
    """Both want the hand; without a wall the task that moves it gets it."""
    robot = chain(12, ("revolute",) * 6)
    description = robot.description()
    hand = position(description, "hand", 5, body="link_6", kp=20.0, goal_position=[0.3, 0.3, 0.4])
    push = configured(ExternalForce("push", description), body="link_6", priority=5, max_speed=0.0)
    base = configured(FlatContact("base", description))
    setup = Setup(description, [base], [push, hand, *posture(description)])
    state = setup.consistent_state(np.random.default_rng(3), speed=0.5)
    reached = achieved(setup, state, setup.effort(state))
    assert [level.priority for level in setup.compound.levels] == [5, 5, 0]
    np.testing.assert_allclose(reached[0], hand.command.value, atol=1e-6)
