"""WBOSC against the textbook recursion, constrained forward dynamics, MuJoCo and energy."""

from typing import NamedTuple

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import (
    DREAMER_URDF,
    SEEDS,
    chain,
    configuration,
    configured,
    dreamer,
    keep_constraints,
    random_robots,
    random_state,
    velocity,
    write_robot,
)

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.controllers.dynamically_consistent import DynamicallyConsistent
from controlit_ros.controllers.kinematic import Kinematic
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.model import FramePoint, RobotDescription, RobotState
from controlit_ros.parameters import Access
from controlit_ros.tasks import CommandKind, CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D

PERIOD = 0.001
TORSO = {"master": "torso_lower_pitch", "slave": "torso_upper_pitch"}
HANDS = ("left_wrist_yaw", "right_wrist_yaw")


class Setup:
    """A controller with everything it works on."""

    def __init__(self, description, constraints, tasks):
        self.description = description
        self.model = ConstrainedModel(description, ConstraintSet(constraints))
        self.tasks = tuple(tasks)
        self.compound = CompoundTask(self.tasks)
        self.controller = WBOSC(description, max(1, sum(t.dimension for t in tasks)))
        nothing = np.full(len(description.command_joints), np.inf)
        self.controller.limits = self.controller.limits._replace(effort=nothing)
        self.controller.singularity_handling.set("truncate")  # random commands at random postures
        self.controller.configure(self.compound)
        self.command = self.controller.create_command()

    def update(self, state):
        """Bring the model and all enabled tasks to a state."""
        self.model.update(state)
        for task in self.tasks:
            if not task.is_disabled:
                task.update(self.model.robot_model, task.inactive)
                task.swap()

    def compute(self):
        """Compute the effort at the state of the last update."""
        self.controller.compute(self.model, self.compound, PERIOD, self.command)
        return self.command.effort.copy()

    def effort(self, state):
        self.update(state)
        return self.compute()

    def consistent_state(self, rng, speed=1.0):
        """Draw a state whose velocity keeps the constraints."""
        state = random_state(self.description, rng, speed=speed)
        self.model.update(state)
        keep_constraints(state, self.model.Jc)
        return state

    def acceleration(self, state, effort, load=0.0, held=None):
        """Return `v̇`, `(nv,)`, of the robot under its constraints, without the implementation.

        Motions the constraints allow are spanned by the null space Z of Jc. What bears a load, a
        generalised force, gives it back; `held` are rows and biases of a further constraint.
        """
        model = self.description.pinocchio
        data = model.createData()
        q, v = configuration(self.description, state), velocity(self.description, state)
        A = pin.crba(model, data, q)
        A = np.triu(A) + np.triu(A, 1).T
        full = np.zeros(model.nv)
        full[self.description.command_dofs] = effort
        force = full - pin.nonLinearEffects(model, data, q, v) - load
        Jc, bias = self.model.Jc, self.model.Jc_bias
        if held is not None:
            Jc, bias = np.vstack([Jc, held[0]]), np.concatenate([bias, held[1]])
        particular = -np.linalg.pinv(Jc, rcond=1e-7) @ bias
        _, sigma, rows = np.linalg.svd(np.vstack([Jc, np.zeros((1, model.nv))]))
        Z = rows[np.count_nonzero(sigma > 1e-7) :].T
        return particular + Z @ np.linalg.solve(Z.T @ A @ Z, Z.T @ (force - A @ particular))


LEAST = 1e-9  # [-] of rows of length 1, squared; in a clear-cut case nothing is near


def pinv(matrix):
    """Invert a matrix whose rows were about 1 before something was projected out of them."""
    if not matrix.size:
        return np.zeros(matrix.T.shape)
    values, vectors = np.linalg.eigh(matrix)
    kept = values > LEAST
    return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T


def scaled_pinv(matrix, size):
    """Invert a matrix of rows that were as long as `size`, so that their units do not matter."""
    D = np.diag(1.0 / np.maximum(size, 1e-12))
    return D @ pinv(D @ matrix @ D) @ D


class Textbook(NamedTuple):
    """Result of the recursion as section 3 of the paper writes it.

    Attributes:
        effort: `(na,)`.
        kept: For each level an orthonormal basis of the directions it controls.
        is_clear_cut: Whether rounding decided on no rank.
    """

    effort: np.ndarray
    kept: tuple[np.ndarray, ...]
    is_clear_cut: bool


def textbook(setup, *, with_bias=True):
    """Compute the effort with NumPy alone, from A, Jc, B + G and the tasks."""
    model, description = setup.model, setup.description
    A_inv = np.linalg.inv(model.robot_model.A)
    Jc = model.Jc.reshape(-1, description.nv)
    U = np.eye(description.nv)[description.command_dofs]
    gram = Jc @ A_inv @ Jc.T
    size = np.sqrt(gram.diagonal())
    inverted = [gram / np.outer(size, size)]
    Lambda_c = scaled_pinv(gram, size)
    Jc_bar = A_inv @ Jc.T @ Lambda_c
    UNc = U @ (np.eye(description.nv) - Jc_bar @ Jc)
    Phi = UNc @ A_inv @ UNc.T
    size = np.sqrt((U @ A_inv @ U.T).diagonal())
    inverted.append(Phi / np.outer(size, size))
    # Φ⁺ itself on the range that was found
    range_of_Phi = np.linalg.svd(scaled_pinv(Phi, size) @ Phi)
    moving = range_of_Phi[0][:, range_of_Phi[1] > 0.5]
    Phi_inverse = moving @ np.linalg.pinv(moving.T @ Phi @ moving) @ moving.T
    UNc_bar = A_inv @ UNc.T @ (Phi_inverse if moving.size else np.zeros_like(Phi))
    # what no actuator holds, and what the constraints demand, accelerates the robot by itself
    left = model.robot_model.compensation - U.T @ UNc_bar.T @ model.robot_model.compensation
    drift = Jc_bar @ model.Jc_bias + (np.eye(len(A_inv)) - Jc_bar @ Jc) @ A_inv @ left
    N, effort = np.eye(len(U)), np.zeros(len(U))
    kept = []
    by_priority = {}
    for task in setup.tasks:
        if task.operational_state.value == "enable":
            by_priority.setdefault(task.priority.value, []).append(task)
    for _, tasks in sorted(by_priority.items(), reverse=True):
        J = np.vstack([task.active.jacobian for task in tasks])
        u = np.concatenate([task.command.value for task in tasks])
        J_star = J @ UNc_bar @ N
        size, moving_part = task_sizes(tasks, J @ UNc_bar, Phi, J @ A_inv @ J.T)
        inverted.append(np.diag(moving_part))
        M = J_star @ Phi @ J_star.T
        inverted.append(M / np.outer(size, size))
        Lambda = scaled_pinv(M, size)
        if with_bias:
            bias = np.concatenate([task.active.bias for task in tasks])
            u = u - bias + J @ drift
        effort += J_star.T @ (Lambda @ u - Lambda @ J_star @ Phi @ effort)
        N = (np.eye(len(U)) - Phi @ J_star.T @ Lambda @ J_star) @ N
        vectors, sigma, _ = np.linalg.svd(inverted[-1])
        kept.append(vectors[:, sigma > LEAST] / size[:, None])
    effort += UNc_bar.T @ model.robot_model.compensation
    return Textbook(effort, tuple(kept), all(is_clear_cut(matrix) for matrix in inverted))


def task_sizes(tasks, rows, Phi, free_gram):
    """Return what the rows of tasks are measured by, and how much of each task the joints move.

    Rows of a task that no joint moves are exactly zero, so any size is right for them. What
    rounding makes of them must not count, multiplied by their commands: their size is infinite.

    Args:
        tasks: Of one level.
        rows: `(rows, na)` J UNc̄.
        Phi: `(na, na)`.
        free_gram: `(rows, rows)` J A⁻¹ Jᵀ, what the rows were before the constraints.

    Returns:
        Sizes, `(rows,)`, and squares of parts, `(tasks,)`.
    """
    squares, free = (rows @ Phi @ rows.T).diagonal(), free_gram.diagonal()
    ends = np.cumsum([task.rows for task in tasks])[:-1]
    moved = np.array([own.max() for own in np.split(squares, ends)])
    whole = np.array([own.max() for own in np.split(free, ends)])
    parts = moved / np.maximum(whole, 1e-6)  # 1e-3 squared: less is rounding
    sizes = np.where(parts > LEAST, np.sqrt(np.maximum(moved, 0.0)), np.inf)
    return np.repeat(sizes, [task.rows for task in tasks]), parts


def is_clear_cut(matrix):
    """Whether nothing of rows of length 1 is nearly lost, where the rank is a matter of taste."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return not ((values > 1e-13) & (values < 1e-4)).any()


def achieved(setup, state, effort):
    """Return the task accelerations of each level under an effort."""
    vdot = setup.acceleration(state, effort)
    return [
        setup.compound.jacobian[level.rows] @ vdot + setup.compound.bias[level.rows]
        for level in setup.compound.levels
    ]


def random_task(description, links, rng, index, priority):
    kinds = (CartesianPosition, CenterOfMass, Orientation2D, Orientation3D, JointPosition)
    kind = kinds[rng.integers(len(kinds))]
    task = kind(f"task_{index}", description)
    parameters = {"kp": rng.uniform(10, 100), "kd": rng.uniform(0, 20), "priority": priority}
    if hasattr(task, "body"):
        parameters["body"] = rng.choice(links)
    if kind is CartesianPosition:
        parameters["control_point"] = rng.uniform(-0.3, 0.3, 3)
        if rng.uniform() < 0.3:
            parameters["frame"] = rng.choice(links)
    shape = task.goal.value.shape
    parameters[task.goal.name] = rng.normal(size=shape)
    return configured(task, **parameters)


def random_setup(robot, seed, *, grounded=True, passive=()):
    rng = np.random.default_rng(seed)
    slaves = ("joint_1",) if {"joint_0", "joint_1"} <= set(robot.moving) and seed % 2 else ()
    description = robot.description(slaves=slaves, passive_joints=passive)
    constraints = []
    if grounded:
        point = rng.uniform(-0.3, 0.3, 3)
        constraints.append(configured(FlatContact("base", description), contact_point=point))
        if seed % 3 == 0:  # redundant on purpose
            constraints.append(configured(PointContact("again", description)))
    else:
        body = rng.choice(robot.links)
        constraints.append(configured(PointContact("foot", description), body=body))
    if slaves:
        torso = Coactuation("torso", description)
        constraints.append(configured(torso, master="joint_0", slave="joint_1", ratio=-0.7))
    count = int(rng.integers(1, 5))
    tasks = [
        random_task(description, robot.links, rng, i, int(rng.integers(0, 3))) for i in range(count)
    ]
    return Setup(description, constraints, tasks), rng


def dreamer_setup(tasks, **options):
    urdf = options.pop("urdf", DREAMER_URDF)
    description = dreamer(urdf, **options)
    constraints = (
        configured(FlatContact("base", description)),
        configured(Coactuation("torso", description), **TORSO),
    )
    return Setup(description, constraints, tasks(description))


def hands_and_posture(description):
    """Build the tasks of the paper's evaluation, five levels."""
    result = []
    for level, body in enumerate(HANDS):
        position = CartesianPosition(f"{body}_position", description)
        gains = {"kp": 64.0, "kd": 3.0, "body": body}
        goal = [0.3, 0.3 - 0.6 * level, 1.0]
        result.append(configured(position, priority=9 - level, goal_position=goal, **gains))
        turn = Orientation3D(f"{body}_orientation", description)
        result.append(configured(turn, priority=7 - level, **gains))
    posture = JointPosition("posture", description)
    result.append(configured(posture, priority=0, kp=60.0, kd=3.0, goal_position=0.1))
    return result


def check_textbook(setup, state):
    effort = setup.effort(state)
    expected = textbook(setup)
    assert np.isfinite(effort).all()
    assume(expected.is_clear_cut)
    scale = 1.0 + np.abs(expected.effort).max()
    np.testing.assert_allclose(effort, expected.effort, atol=1e-8 * scale)
    return expected, effort


@given(random_robots(min_joints=3), SEEDS)
def test_random_robots_follow_the_textbook(robot, seed):
    setup, rng = random_setup(robot, seed)
    check_textbook(setup, setup.consistent_state(rng))


@given(random_robots(min_joints=3, floating=True), SEEDS)
def test_a_task_that_no_joint_moves_takes_nothing_from_its_level(robot, seed):
    description = robot.description()
    base = configured(FlatContact("base", description))
    held = position(description, "held", 1, body="link_0", goal_acceleration=[-22.0, -23.0, -54.0])
    posture = configured(JointPosition("posture", description), priority=1, kp=30.0)
    setup = Setup(description, [base], [held, posture])
    state = setup.consistent_state(np.random.default_rng(seed))
    _, effort = check_textbook(setup, state)
    held.operational_state.set("sense")
    np.testing.assert_allclose(setup.compute(), effort, rtol=1e-10, atol=1e-10)


@given(random_robots(min_joints=3), SEEDS)
def test_underactuated_robots_follow_the_textbook(robot, seed):
    setup, rng = random_setup(robot, seed, grounded=False, passive=robot.moving[2:3])
    check_textbook(setup, setup.consistent_state(rng))


@given(SEEDS)
def test_dreamer_follows_the_textbook(seed):
    setup = dreamer_setup(hands_and_posture)
    rng = np.random.default_rng(seed)
    check_textbook(setup, setup.consistent_state(rng))


@given(random_robots(min_joints=3), SEEDS)
def test_without_velocity_bias_the_plain_recursion_remains(robot, seed):
    setup, rng = random_setup(robot, seed)
    setup.controller.velocity_bias.set(False)
    effort = setup.effort(setup.consistent_state(rng))
    expected = textbook(setup, with_bias=False)
    assume(expected.is_clear_cut)
    scale = 1.0 + np.abs(expected.effort).max()
    np.testing.assert_allclose(effort, expected.effort, atol=1e-8 * scale)


@given(random_robots(min_joints=3), SEEDS, st.booleans(), st.booleans())
def test_the_top_level_reaches_its_acceleration(robot, seed, grounded, has_passive_joint):
    passive = robot.moving[2:3] if has_passive_joint else ()
    setup, rng = random_setup(robot, seed, grounded=grounded, passive=passive)
    state = setup.consistent_state(rng)
    expected, effort = check_textbook(setup, state)
    top = setup.compound.levels[0]
    missing = achieved(setup, state, effort)[0] - setup.compound.command[top.rows]
    scale = 1.0 + np.abs(setup.compound.command[top.rows]).max()
    np.testing.assert_allclose(expected.kept[0].T @ missing, 0.0, atol=1e-6 * scale)


@given(random_robots(min_joints=3), SEEDS, st.booleans())
def test_a_lower_level_never_changes_a_higher_one(robot, seed, grounded):
    setup, rng = random_setup(robot, seed, grounded=grounded)
    state = setup.consistent_state(rng)
    expected, effort = check_textbook(setup, state)
    reached = achieved(setup, state, effort)
    priorities = [level.priority for level in setup.compound.levels]
    for number in range(1, len(priorities)):
        for task in setup.tasks:
            lower = task.priority.value <= priorities[number]
            task.operational_state.set("sense" if lower else "enable")
        alone = achieved(setup, state, setup.compute())
        for level in range(number):
            change = expected.kept[level].T @ (alone[level] - reached[level])
            np.testing.assert_allclose(
                change, 0.0, atol=1e-6 * (1.0 + np.abs(reached[level]).max())
            )
        for task in setup.tasks:
            task.operational_state.set("enable")


@given(SEEDS)
def test_ranks_and_conditions_tell_what_each_level_controls(seed):
    setup = dreamer_setup(hands_and_posture)
    state = setup.consistent_state(np.random.default_rng(seed))
    expected, _ = check_textbook(setup, state)
    ranks = [basis.shape[1] for basis in expected.kept]
    np.testing.assert_array_equal(setup.controller.level_rank[:5], ranks)
    assert sum(ranks) <= 15
    assert (setup.controller.level_condition >= 1.0).all()


def test_mujoco_moves_dreamers_hands_as_commanded(rng):
    # the published wrist inertia is that of no real body: MuJoCo refuses it
    urdf = DREAMER_URDF.replace('izz="0.0009"', 'izz="0.0002"')
    setup = dreamer_setup(lambda d: hands_and_posture(d)[:3:2], urdf=urdf)
    setup.tasks[1].priority.set(setup.tasks[0].priority.value)
    description = setup.description
    compiler = '<mujoco><compiler fusestatic="false" inertiafromgeom="false"/></mujoco>'
    spec = mujoco.MjSpec.from_string(urdf.replace("<link", f"{compiler}<link", 1))
    for joint, inertia in description.options.rotor_inertia.items():
        spec.joint(joint).armature = inertia
    robot = spec.compile()
    robot.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data = mujoco.MjData(robot)
    for _ in range(5):
        state = RobotState(description.real_joints)
        n = len(state.position)
        state.position[:] = rng.uniform(-1, 1, n)
        state.velocity[:] = rng.uniform(-2, 2, n)
        state.velocity[description.joint_index("torso_upper_pitch")] = state.velocity[
            description.joint_index("torso_lower_pitch")
        ]
        effort = setup.effort(state)
        dof = {name: robot.joint(name).dofadr[0] for name in state.joint_names}
        for i, name in enumerate(state.joint_names):
            data.qpos[robot.joint(name).qposadr[0]] = state.position[i]
            data.qvel[dof[name]] = state.velocity[i]
        mujoco.mj_forward(robot, data)
        M = np.zeros((n, n))
        mujoco.mj_fullM(robot, data, M)
        force = -data.qfrc_bias.copy()
        for name, value in zip(description.command_joints, effort, strict=True):
            force[dof[name]] += value
        # the torso moves as one: columns of E are the motions of the command joints
        E = np.zeros((n, n - 1))
        for column, name in enumerate(description.command_joints):
            E[dof[name], column] = 1.0
            if name == TORSO["master"]:
                E[dof[TORSO["slave"]], column] = 1.0
        qacc = E @ np.linalg.solve(E.T @ M @ E, E.T @ force)
        for task in setup.tasks:
            body = robot.body(f"{task.body.value}_link").id
            linear, rate = np.zeros((3, n)), np.zeros((3, n))
            mujoco.mj_jac(robot, data, linear, None, data.xpos[body], body)
            mujoco.mj_jacDot(robot, data, rate, None, data.xpos[body], body)
            acceleration = linear @ qacc + rate @ data.qvel
            np.testing.assert_allclose(acceleration, task.command.value, atol=1e-6)


def no_tasks(description):
    return [configured(JointPosition("posture", description), operational_state="disable")]


@pytest.mark.parametrize("tasks", [no_tasks, lambda _: []], ids=["disabled", "none"])
def test_without_tasks_gravity_is_compensated_and_never_accumulates(tasks, rng):
    setup = dreamer_setup(tasks)
    state = setup.consistent_state(rng, speed=0.0)
    first = setup.effort(state)
    np.testing.assert_allclose(setup.acceleration(state, first), 0.0, atol=1e-9)
    assert np.abs(first).max() > 1.0
    for _ in range(3):
        np.testing.assert_array_equal(setup.effort(state), first)
        np.testing.assert_array_equal(setup.compute(), first)
    np.testing.assert_allclose(first, setup.model.bias_effort, atol=1e-12)


def test_toggling_tasks_gives_the_same_bits_back(rng):
    setup = dreamer_setup(hands_and_posture)
    state = setup.consistent_state(rng)
    before = setup.effort(state)
    for i in range(20):
        task = setup.tasks[i % 5]
        task.operational_state.set(("disable", "sense")[i % 2])
        task.priority.set(100)
        assert (setup.effort(state) != before).any()
        task.operational_state.set("enable")
        task.priority.set((9, 7, 8, 6, 0)[i % 5])
        np.testing.assert_array_equal(setup.effort(state), before)


@given(random_robots(min_joints=3), SEEDS)
def test_one_call_for_tasks_and_law_does_what_two_do(robot, seed):
    """Whatever is set, and whatever acts, in the same bits; each has tasks of its own."""
    at_once, _ = random_setup(robot, seed)
    stepwise, rng = random_setup(robot, seed)
    settings = {
        "velocity_bias": (False, True),
        "reach_lower_levels": (False, True),
        "singularity_handling": ("truncate", "damp"),
        "damping_threshold": (0.01, 0.5),
    }
    for setup in (at_once, stepwise):
        for task in setup.tasks:
            task.controller.ki.set(3.0)  # so that the period counts
    for _ in range(20):
        name = rng.choice(list(settings))
        value, chosen = rng.choice(settings[name]), rng.integers(len(at_once.tasks))
        state_of_task, priority = rng.choice(["enable", "sense"]), int(rng.integers(3))
        state, period = at_once.consistent_state(rng), rng.choice([0.001, 0.01])
        for setup in (at_once, stepwise):
            parameter = setup.controller.parameter(name)
            parameter.set(type(parameter.value)(value))
            setup.tasks[chosen].operational_state.set(str(state_of_task))
            setup.tasks[chosen].priority.set(priority)
            setup.update(state)
        assert at_once.controller.compute(at_once.model, at_once.compound, period, at_once.command)
        stepwise.compound.compute(period)
        stepwise.controller.compute_command(stepwise.model, stepwise.compound, stepwise.command)
        np.testing.assert_array_equal(at_once.command.effort, stepwise.command.effort)
        for one, other in zip(at_once.tasks, stepwise.tasks, strict=True):
            np.testing.assert_array_equal(one.command.value, other.command.value)
            np.testing.assert_array_equal(one.error_norm.value, other.error_norm.value)
            np.testing.assert_array_equal(one.controller.integral, other.controller.integral)


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e200])
def test_it_is_not_known_to_be_finite_what_is_not(number, rng):
    setup = dreamer_setup(hands_and_posture)
    setup.update(setup.consistent_state(rng))
    assert setup.controller.compute(setup.model, setup.compound, PERIOD, setup.command)
    setup.tasks[0].goal_acceleration.value[1] = number
    assert not setup.controller.compute(setup.model, setup.compound, PERIOD, setup.command)
    setup.tasks[0].goal_acceleration.value[1] = 0.0
    assert setup.controller.compute(setup.model, setup.compound, PERIOD, setup.command)
    setup.model.bias_effort[0] = number  # all commands are finite
    assert not setup.controller.compute(setup.model, setup.compound, PERIOD, setup.command)


class _Half(WBOSC):
    """Halves what the law commands."""

    def compute_command(self, model, tasks, command):
        super().compute_command(model, tasks, command)
        command.effort *= 0.5


class _Mixed:
    def compute_command(self, model, tasks, command):
        super().compute_command(model, tasks, command)
        command.effort *= 0.5


class _HalfMixed(_Mixed, WBOSC):
    pass


@pytest.mark.parametrize("kind", [_Half, _HalfMixed])
def test_what_is_derived_from_it_computes_its_own_command(kind, rng):
    setup = dreamer_setup(hands_and_posture)
    whole = setup.effort(setup.consistent_state(rng))
    setup.controller = kind(setup.description, setup.controller.max_rows)
    setup.controller.configure(setup.compound)
    np.testing.assert_array_equal(setup.compute(), 0.5 * whole)


def test_an_object_with_a_command_of_its_own_computes_that(rng):
    setup = dreamer_setup(hands_and_posture)
    setup.effort(setup.consistent_state(rng))
    setup.controller.compute_command = lambda _model, _tasks, command: command.effort.fill(7.0)
    np.testing.assert_array_equal(setup.compute(), 7.0)


def test_what_kernels_raise_is_raised(rng):
    setup = dreamer_setup(hands_and_posture)
    setup.effort(setup.consistent_state(rng))
    turn = next(task for task in setup.tasks if isinstance(task, Orientation3D))
    turn.goal.value[:] = 0.0  # no rotation, which a goal that is set is checked for
    with pytest.raises(ZeroDivisionError):
        setup.compute()


def position(description, name, priority, body="left_wrist_yaw", kind=CartesianPosition, **more):
    return configured(kind(name, description), body=body, priority=priority, **more)


def test_a_straight_arm_stays_finite():
    setup = dreamer_setup(hands_and_posture)
    state = RobotState(setup.description.real_joints)
    for _ in range(2):
        effort = setup.effort(state)
        assert np.isfinite(effort).all()
        assert np.abs(effort).max() < 1e4
        state.velocity[:] = 0.5


@given(SEEDS)
def test_nearly_straight_arms_stay_finite(seed):
    rng = np.random.default_rng(seed)
    setup = dreamer_setup(hands_and_posture)
    state = RobotState(setup.description.real_joints)
    n = len(state.position)
    state.position[:] = rng.choice([0.0, 1e-9, 1e-6, 1e-4, 1e-2], n) * rng.normal(size=n)
    effort = setup.effort(state)
    assert np.isfinite(effort).all()
    assert np.abs(effort).max() < 1e6


@pytest.mark.parametrize("priorities", [(1, 1), (2, 1)])
def test_a_duplicated_task_changes_nothing(priorities, rng):
    goal = {"goal_position": [0.3, 0.2, 1.0], "kp": 50.0}
    single = dreamer_setup(lambda d: [position(d, "a", 2, **goal)])
    double = dreamer_setup(
        lambda d: [position(d, f"{i}", p, **goal) for i, p in enumerate(priorities)]
    )
    state = single.consistent_state(rng)
    np.testing.assert_allclose(double.effort(state), single.effort(state), atol=1e-7)


def test_conflicting_tasks_meet_in_the_middle_or_yield_to_priority(rng):
    def conflict(high, low):
        return dreamer_setup(
            lambda d: [
                position(d, "up", high, goal_acceleration=[0.0, 0.0, 4.0]),
                position(d, "down", low, goal_acceleration=[0.0, 0.0, -2.0]),
            ]
        )

    for setup, expected in ((conflict(1, 1), 1.0), (conflict(2, 1), 4.0), (conflict(1, 2), -2.0)):
        state = setup.consistent_state(np.random.default_rng(3))
        reached = achieved(setup, state, setup.effort(state))
        np.testing.assert_allclose(reached[0][:3], [0.0, 0.0, expected], atol=1e-6)


def test_a_task_that_nothing_can_move_does_nothing(rng):
    def still(description):
        return [
            position(
                description, "own", 9, frame="left_wrist_yaw", kp=10.0, goal_position=[1, 1, 1]
            ),
            position(description, "base", 8, body="base_link", kp=10.0, goal_position=[1, 1, 1]),
        ]

    setup = dreamer_setup(still)
    state = setup.consistent_state(rng)
    effort = setup.effort(state)
    np.testing.assert_allclose(effort, setup.model.bias_effort, atol=1e-9)
    np.testing.assert_array_equal(setup.controller.level_rank, 0)
    np.testing.assert_array_equal(setup.controller.level_condition, 1.0)


def test_level_ranks_do_not_outlive_their_levels(rng):
    setup = dreamer_setup(hands_and_posture)
    state = setup.consistent_state(rng)
    setup.effort(state)
    for task in setup.tasks[1:]:
        task.operational_state.set("disable")
    setup.effort(state)
    assert setup.controller.level_rank[0] == 3
    assert not setup.controller.level_rank[1:].any()
    np.testing.assert_array_equal(setup.controller.level_condition[1:], 1.0)


@given(SEEDS, st.booleans())
def test_an_underactuated_arm_moves_its_hand_as_commanded(seed, with_tasks_below):
    rng = np.random.default_rng(seed)
    robot = chain(int(rng.integers(2**31)), ("revolute",) * 6)
    description = robot.description(passive_joints=("joint_2",))
    hand = position(description, "hand", 3, body="link_6", kp=30.0, goal_position=[0.3, 0.2, 0.1])
    posture = configured(JointPosition("posture", description), priority=0, kp=5.0, kd=1.0)
    base = configured(FlatContact("base", description))
    setup = Setup(description, [base], [hand, posture] if with_tasks_below else [hand])
    state = setup.consistent_state(rng)
    expected, effort = check_textbook(setup, state)
    assume(expected.kept[0].shape[1] == 3)
    assume(setup.controller.level_condition[0] < 1e4)
    scale = 1.0 + np.abs(hand.command.value).max()
    reached = achieved(setup, state, effort)[0]
    np.testing.assert_allclose(reached, hand.command.value, atol=1e-6 * scale)
    # without what the passive joint lacks, gravity would pull the hand away
    setup.controller.velocity_bias.set(False)
    missed = achieved(setup, state, setup.compute())[0] - hand.command.value
    assert np.abs(missed).max() > 1e-3


class Squeeze(CartesianPosition):
    """Presses two contacts against each other along the line between them."""

    command_kind = CommandKind.INTERNAL_FORCE

    def __init__(self, name, robot, other):
        super().__init__(name, robot)
        self.other = other

    def _update(self, model, state):
        ends = [FramePoint(self.robot.nv) for _ in range(2)]
        for end, body in zip(ends, (self.body.value, self.other), strict=True):
            end.update(model, self.robot.frame_id(body), np.zeros(3))
        line = ends[1].position - ends[0].position
        line /= np.linalg.norm(line)
        state.jacobian[:] = 0.0
        state.jacobian[0] = line @ (ends[0].jacobian - ends[1].jacobian)


def contact_forces(setup, state, effort):
    """Return λ, `(nc,)`, what the robot exerts on the world, from the equations of motion."""
    description, model = setup.description, setup.model
    vdot = setup.acceleration(state, effort)
    full = np.zeros(description.nv)
    full[description.command_dofs] = effort
    force = full - model.robot_model.BG - model.robot_model.A @ vdot
    return np.linalg.lstsq(model.Jc.T, force, rcond=None)[0]


@given(SEEDS, st.sampled_from([-40.0, 25.0]))
def test_an_internal_force_appears_between_contacts_and_moves_nothing(seed, tension):
    rng = np.random.default_rng(seed)
    # two arms on a torso
    types, parents = ("revolute",) * 12, (0, 1, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11)
    description = write_robot(seed, types, parents, floating=True).description()
    contacts = [
        configured(PointContact(name, description), body=body)
        for name, body in (("left", "link_6"), ("right", "link_12"))
    ]
    squeeze = configured(
        Squeeze("squeeze", description, "link_12"), body="link_6", goal_acceleration=[tension, 0, 0]
    )
    head = Orientation3D("torso", description)
    tasks = [squeeze, configured(head, body="link_0", kp=20.0, priority=4)]
    setup = Setup(description, contacts, tasks)
    state = setup.consistent_state(rng)
    pressed = setup.effort(state)
    assume(np.linalg.cond(setup.model.Jc) < 1e3)
    assume(is_clear_cut(setup.model.Phi))
    squeeze.operational_state.set("sense")
    loose = setup.compute()
    assert np.abs(pressed - loose).max() > 0.1
    np.testing.assert_allclose(
        setup.acceleration(state, pressed), setup.acceleration(state, loose), atol=1e-6
    )
    change = contact_forces(setup, state, pressed) - contact_forces(setup, state, loose)
    line = squeeze.active.jacobian[0]
    along = np.linalg.lstsq(setup.model.Jc.T, line, rcond=None)[0][:3]
    np.testing.assert_allclose(change, np.concatenate([along, -along]) * tension, atol=1e-5)


def test_a_robot_with_one_contact_has_no_internal_forces(rng):
    def tasks(description):
        squeeze = Squeeze("squeeze", description, "right_wrist_yaw")
        return [configured(squeeze, body="left_wrist_yaw", goal_acceleration=[50.0, 0.0, 0.0])]

    setup = dreamer_setup(tasks)
    state = setup.consistent_state(rng)
    np.testing.assert_allclose(setup.effort(state), setup.model.bias_effort, atol=1e-7)


def test_the_kinematic_projector_exerts_no_static_force_but_moves_higher_levels(rng):
    state = dreamer_setup(hands_and_posture).consistent_state(rng)
    changes = {}
    for projector in (DynamicallyConsistent(), Kinematic()):
        setup = dreamer_setup(hands_and_posture)
        setup.controller.null_space_projector = projector
        setup.update(state)
        efforts = []
        for goal in (0.1, 0.8):
            setup.tasks[-1].goal.set(goal)
            efforts.append(setup.compute())
        changes[type(projector)] = efforts[1] - efforts[0]
    projections = setup.model.projections
    top = setup.compound.jacobian[:3] @ projections.UNc_bar
    np.testing.assert_allclose(top @ changes[Kinematic], 0.0, atol=1e-8)
    assert np.abs(top @ projections.Phi @ changes[Kinematic]).max() > 1e-3
    moved = top @ projections.Phi @ changes[DynamicallyConsistent]
    np.testing.assert_allclose(moved, 0.0, atol=1e-8)


def two_links():
    """Write an arm that moves in the plane xz, stretched along x."""
    link = '<link name="{}"><inertial><origin xyz="0.25 0 0"/><mass value="1"/><inertia ixx="0.01" '
    link += 'ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>'
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
    joint += '<origin xyz="{3} 0 0"/><axis xyz="0 1 0"/></joint>'
    return RobotDescription(
        '<robot name="arm">'
        + "".join(link.format(name) for name in ("ground", "upper", "lower"))
        + joint.format("shoulder", "ground", "upper", 0.0)
        + joint.format("elbow", "upper", "lower", 0.5)
        + "</robot>"
    )


def straightening_arm(handling, bends):
    """Return the efforts of an arm with its elbow ever straighter, ranks and condition numbers."""
    description = two_links()
    pull = {"control_point": [0.5, 0.0, 0.0], "goal_acceleration": [1.0, 0.0, 1.0]}
    hand = position(description, "hand", 1, body="lower", **pull)
    setup = Setup(description, [configured(FlatContact("base", description))], [hand])
    setup.controller.singularity_handling.set(handling)
    state = RobotState(description.real_joints)
    efforts, ranks, conditions = [], [], []
    for bend in bends:
        state.position[1] = bend
        efforts.append(setup.effort(state) - setup.model.bias_effort)
        ranks.append(int(setup.controller.level_rank[0]))
        conditions.append(float(setup.controller.condition_numbers.value[0]))
    return np.array(efforts), ranks, conditions


def test_damping_leaves_a_singularity_without_a_jump():
    bends = np.geomspace(1.5, 1e-6, 400)
    truncated, ranks, conditions = straightening_arm("truncate", bends)
    damped, _, _ = straightening_arm("damp", bends)
    assert set(ranks) == {1, 2}
    assert max(conditions) > 1e5
    jumps = [np.abs(np.diff(efforts, axis=0)).max() for efforts in (truncated, damped)]
    assert jumps[1] < 0.02 * jumps[0]
    assert np.abs(damped).max() < 0.2 * np.abs(truncated).max()
    np.testing.assert_allclose(damped[0], truncated[0], atol=1e-9)  # far away nothing is damped


def test_condition_numbers_are_an_output_of_the_controller(rng):
    setup = dreamer_setup(hands_and_posture)
    setup.effort(setup.consistent_state(rng))
    found = setup.controller.parameter("condition_numbers")
    assert found.access is Access.OUTPUT
    np.testing.assert_array_equal(found.value, setup.controller.level_condition[:5])
    assert (found.value[:4] > 1.0).all()


def test_masked_gravity_pulls(rng):
    setup = dreamer_setup(no_tasks, gravity_compensation_mask=("left_elbow",))
    state = setup.consistent_state(rng, speed=0.0)
    elbow = setup.description.joint_index("left_elbow") + 6
    acceleration = setup.acceleration(state, setup.effort(state))
    gravity = setup.model.robot_model.G[elbow]
    assert acceleration[elbow] * gravity < 0.0


def simulate(setup, state, steps, dt):
    """Integrate the closed loop of a robot on the ground by Runge-Kutta; yield each state."""
    n = len(state.position)

    def rate(x):
        moving = RobotState(state.joint_names)
        moving.position[:], moving.velocity[:] = x[:n], x[n:]
        effort = setup.effort(moving)
        return np.concatenate([x[n:], setup.acceleration(moving, effort)[6:]]), effort

    x = np.concatenate([state.position, state.velocity])
    for _ in range(steps):
        k1, effort = rate(x)
        yield x.copy(), effort
        k2, _ = rate(x + 0.5 * dt * k1)
        k3, _ = rate(x + 0.5 * dt * k2)
        k4, _ = rate(x + dt * k3)
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def fixed_arm(rng, **gains):
    robot = CHAIN
    description = robot.description(world_gravity=(0.0, 0.0, 0.0))
    base = configured(FlatContact("base", description))
    posture = configured(JointPosition("posture", description), **gains)
    setup = Setup(description, [base], [posture])
    state = RobotState(description.real_joints)
    state.position[:] = rng.uniform(-1, 1, 3)
    state.velocity[:] = rng.uniform(-1, 1, 3)
    return setup, state


def kinetic_energy(description: RobotDescription, x: np.ndarray) -> float:
    model = description.pinocchio
    n = len(x) // 2
    state = RobotState(description.real_joints)
    state.position[:], state.velocity[:] = x[:n], x[n:]
    data = model.createData()
    q, v = configuration(description, state), velocity(description, state)
    rotors = 0.5 * v @ (model.armature * v)
    return pin.computeKineticEnergy(model, data, q, v) + (0.0 if _counts_rotors() else rotors)


def _counts_rotors() -> bool:
    """Whether Pinocchio's kinetic energy includes that of the rotors."""
    model = pin.buildSampleModelManipulator()
    data, q, v = model.createData(), pin.neutral(model), np.ones(model.nv)
    before = pin.computeKineticEnergy(model, data, q, v)
    model.armature = np.ones(model.nv)
    return pin.computeKineticEnergy(model, data, q, v) != before


CHAIN = chain(12, ("revolute", "prismatic", "revolute"))


def test_the_work_of_the_efforts_is_the_change_of_kinetic_energy(rng):
    setup, state = fixed_arm(rng, operational_state="disable")
    dt, work, previous = 0.002, 0.0, None
    start = energy = None
    for x, effort in simulate(setup, state, 200, dt):
        power = effort @ x[3:]
        if previous is not None:
            work += 0.5 * dt * (power + previous)
        previous = power
        energy = kinetic_energy(setup.description, x)
        start = energy if start is None else start
    assert abs(work) > 0.01
    assert energy - start == pytest.approx(work, abs=1e-4)


def test_a_spring_in_task_space_keeps_its_energy(rng):
    setup, state = fixed_arm(rng, kp=40.0)
    energies = [
        0.5 * x[3:] @ x[3:] + 20.0 * x[:3] @ x[:3] for x, _ in simulate(setup, state, 150, 0.005)
    ]
    np.testing.assert_allclose(energies, energies[0], rtol=1e-5)


def test_damping_alone_slows_every_joint_exponentially(rng):
    setup, state = fixed_arm(rng, kd=5.0)
    for i, (x, _) in enumerate(simulate(setup, state, 100, 0.005)):
        np.testing.assert_allclose(x[3:], state.velocity * np.exp(-5.0 * 0.005 * i), rtol=1e-5)


def test_the_command_holds_only_efforts(dreamer_description):
    command = WBOSC(dreamer_description, 3).create_command()
    assert command.joint_names == dreamer_description.command_joints
    assert command.effort.shape == (15,)
    assert command.position is command.velocity is command.stiffness is command.damping is None
