"""WholeBodyQP against WBOSC, forward dynamics and bounded least squares."""

import gc
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prioritisations import each_prioritisation
from robots_for_tests import SEEDS, configured, keep_constraints
from scipy.optimize import lsq_linear
from test_wbosc import (
    Setup,
    achieved,
    dreamer_setup,
    hands_and_posture,
)

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.controllers.generalised import Generalised
from controlit_ros.controllers.task_kernels import TaskKernels
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.model import RobotState
from controlit_ros.parameters import ParameterError
from controlit_ros.solvers import QPError, QPStatus
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.tasks import DISABLE, ENABLE, CompoundTask
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = pytest.mark.simulation

ENOUGH = 1e6  # [N m]
BENT = {
    "elbow": 1.2,
    "shoulder_extensor": 0.4,
    "shoulder_abductor": 0.3,
    "wrist_pitch": 0.4,
}  # [rad] of both arms


def two_levels(description):
    tasks = hands_and_posture(description)
    for task in tasks[:-1]:
        task.priority.set(1)
    return tasks


def hands(description):
    return two_levels(description)[:-1]


def bent(setup, rng):
    """Draw a state near a posture in which both arms move their hands well in all directions."""
    state = RobotState(setup.description.real_joints)
    for joint, value in BENT.items():
        for side in ("left", "right"):
            state.position[setup.description.joint_index(f"{side}_{joint}")] = value
    state.position[:] += rng.uniform(-0.2, 0.2, len(state.position))
    state.velocity[:] = rng.uniform(-0.3, 0.3, len(state.velocity))
    setup.model.update(state)
    keep_constraints(state, setup.model.Jc)
    return state


def quadratic(setup, prioritisation=Weighted, *, effort=ENOUGH, solver=DAQP, **parameters):
    """Return a configured WholeBodyQP for a setup."""
    controller = WholeBodyQP(setup.description, setup.controller.max_rows)
    controller.singularity_handling.set("truncate")
    controller.qp_solver = solver()
    controller.prioritisation = prioritisation()
    for name, value in parameters.items():
        controller.parameter(name).set(value)
    limit = np.broadcast_to(effort, len(setup.command.effort)).astype(float)
    controller.limits = controller.limits._replace(effort=limit)
    controller.configure(setup.compound)
    return controller


def solve(controller, setup):
    controller.compute_command(setup.model, setup.compound, setup.command)
    return setup.command.effort.copy()


@each_prioritisation
@given(SEEDS)
def test_one_level_alone_accelerates_as_with_wbosc(prioritisation, seed):
    setup = dreamer_setup(hands)
    state = bent(setup, np.random.default_rng(seed))
    expected = achieved(setup, state, setup.effort(state))[0]
    found = achieved(setup, state, solve(quadratic(setup, prioritisation), setup))[0]
    np.testing.assert_allclose(found, expected, atol=1e-6 * (1.0 + np.abs(expected).max()))


@given(SEEDS)
def test_a_level_yields_to_those_above_as_its_weight_falls(seed):
    setup = dreamer_setup(two_levels)
    state = bent(setup, np.random.default_rng(seed))
    setup.update(state)
    setup.compute()
    wanted = setup.compound.command[setup.compound.levels[0].rows]
    errors = []
    for weight in (1.0, 1e3, 1e6):
        effort = solve(quadratic(setup, level_weight=weight), setup)
        errors.append(np.linalg.norm(achieved(setup, state, effort)[0] - wanted))
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2]


def weighted(setup, state, effort, weight):
    """Return the cost of an effort, by forward dynamics."""
    total, factor = 0.0, 1.0
    for level, reached in zip(setup.compound.levels, achieved(setup, state, effort), strict=True):
        total += factor * np.sum((reached - setup.compound.command[level.rows]) ** 2)
        factor /= weight
    return total


@each_prioritisation
@given(SEEDS, st.floats(0.2, 0.7))
def test_effort_limits_hold_exactly_and_cost_the_top_level_less_than_clipping(
    prioritisation, seed, part
):
    setup = dreamer_setup(two_levels)
    state = bent(setup, np.random.default_rng(seed))
    free = setup.effort(state)
    bias = setup.model.bias_effort
    limit = np.abs(bias) + part * np.abs(free - bias).max()
    clipped = np.clip(free, -limit, limit)
    assert (clipped != free).any()
    effort = solve(quadratic(setup, prioritisation, effort=limit), setup)
    assert (np.abs(effort) <= limit).all()
    wanted = setup.compound.command[setup.compound.levels[0].rows]

    def missing(tau):
        return np.linalg.norm(achieved(setup, state, tau)[0] - wanted)

    if prioritisation is not Generalised:  # there, levels share what limits take from them
        assert missing(effort) < missing(clipped)


@given(SEEDS, st.floats(0.1, 0.7))
def test_is_the_bounded_least_squares_solution(seed, part):
    weight = 100.0
    setup = dreamer_setup(two_levels)
    state = bent(setup, np.random.default_rng(seed))
    free, bias = setup.effort(state), setup.model.bias_effort
    limit = np.abs(bias) + part * np.abs(free - bias).max()
    effort = solve(quadratic(setup, effort=limit, level_weight=weight), setup)
    # forward dynamics is affine in the effort: its columns come from unit efforts
    zero = np.concatenate(achieved(setup, state, np.zeros_like(limit)))
    columns = [np.concatenate(achieved(setup, state, e)) - zero for e in np.eye(len(limit))]
    scale = np.ones(len(zero))
    scale[setup.compound.levels[1].rows] = weight**-0.5
    K = scale[:, None] * np.transpose(columns)
    best = lsq_linear(K, scale * (setup.compound.command - zero), (-limit, limit), tol=1e-14).x
    reached = weighted(setup, state, effort, weight)
    assert reached <= weighted(setup, state, best, weight) * (1.0 + 1e-6) + 1e-9


@each_prioritisation
@given(SEEDS)
def test_accelerations_stay_within_those_the_limits_allow(prioritisation, seed):
    setup = dreamer_setup(two_levels)
    rng = np.random.default_rng(seed)
    state = bent(setup, rng)
    setup.update(state)
    free = setup.compute()
    joints, dofs = setup.description.command_indices, setup.description.command_dofs
    controller = quadratic(setup, prioritisation, limit_horizon=0.05)
    position, rate = state.position[joints], state.velocity[joints]
    reach = rng.uniform(0.001, 0.05, len(joints))
    limits = controller.limits._replace(velocity=np.full(len(joints), np.inf))
    controller.limits = limits._replace(upper=position + reach, lower=position - reach)
    allowed = reach / 0.05**2
    brake = 2.0 * rate / 0.05
    moved = setup.acceleration(state, solve(controller, setup))[dofs] + brake
    assert (np.abs(moved) <= allowed + 1e-6).all()
    assert (np.abs(setup.acceleration(state, free)[dofs] + brake) > allowed + 1e-6).any()


@each_prioritisation
def test_tells_which_limits_hold_the_tasks_back(prioritisation, rng):
    setup = dreamer_setup(two_levels)
    free = setup.effort(bent(setup, rng))
    bias = setup.model.bias_effort
    limit = np.abs(bias) + 0.1 * np.abs(free - bias).max()
    controller = quadratic(setup, prioritisation, effort=limit)
    effort = solve(controller, setup)
    multipliers = controller.effort_multipliers.value
    np.testing.assert_array_equal(
        np.sign(multipliers), np.where(np.abs(effort) >= limit * (1 - 1e-9), np.sign(effort), 0.0)
    )
    assert multipliers.any()
    assert not controller.acceleration_multipliers.value.any()
    assert controller.solver_status.value == "solved"
    assert controller.solver_iterations.value > 0
    assert controller.solver_time.value > 0.0


@each_prioritisation
def test_names_the_joint_whose_limit_cannot_be_kept_and_finds_back(prioritisation, rng):
    setup = dreamer_setup(two_levels)
    state = bent(setup, rng)
    setup.effort(state)
    bias = setup.model.bias_effort
    controller = quadratic(setup, prioritisation, effort=np.abs(bias) + 5.0, limit_horizon=0.05)
    before = solve(controller, setup)
    joint = setup.description.command_joints.index("right_elbow")
    good, limits = controller.limits, controller.limits
    lower, upper, speed = limits.lower.copy(), limits.upper.copy(), limits.velocity.copy()
    lower[joint], upper[joint], speed[joint] = -12.0, -10.0, np.inf
    controller.limits = limits._replace(lower=lower, upper=upper, velocity=speed)
    setup.command.effort[:] = before
    with pytest.raises(QPError, match=r"'right_elbow'.*position \(.*limit -10.*effort.*missing"):
        solve(controller, setup)
    np.testing.assert_array_equal(setup.command.effort, before)
    controller.limits = good
    np.testing.assert_allclose(solve(controller, setup), before, atol=1e-6)


def test_a_negative_effort_limit_is_refused():
    setup = dreamer_setup(two_levels)
    limit = np.ones(len(setup.command.effort))
    limit[3] = -2.0
    with pytest.raises(ParameterError, match=f"-2 .*'{setup.description.command_joints[3]}'"):
        quadratic(setup, effort=limit)


def test_names_a_limit_when_only_several_together_cannot_be_kept():
    solver_rows = np.array([[1.0, 1.0], [1.0, 1.0]])
    setup = dreamer_setup(two_levels)
    setup.effort(RobotState(setup.description.real_joints))
    controller = quadratic(setup, limit_horizon=0.05)
    solve(controller, setup)
    solver = controller.qp_solver
    solver.rows[:2, :2], solver.rows[:2, 2:] = solver_rows, 0.0
    solver.row_lower[:2], solver.row_upper[:2] = (10.0, -20.0), (20.0, -10.0)
    assert solver.solve() is QPStatus.INFEASIBLE
    text = controller._explanation(QPStatus.INFEASIBLE, setup.model)
    assert "several joints exclude each other" in text
    assert any(repr(name) in text for name in setup.description.command_joints[:2])


@each_prioritisation
def test_what_is_not_finite_is_told_and_forgotten(prioritisation, rng):
    setup = dreamer_setup(two_levels)
    setup.effort(bent(setup, rng))
    controller = quadratic(setup, prioritisation)
    before = solve(controller, setup)
    good = setup.compound.command.copy()
    for bad in (np.nan, np.inf):
        setup.compound.command[3] = bad
        with pytest.raises(QPError, match="not finite"):
            solve(controller, setup)
        np.testing.assert_array_equal(setup.command.effort, before)
    setup.compound.command[:] = good
    np.testing.assert_allclose(solve(controller, setup), before, atol=1e-6)


def test_limits_as_tasks_are_refused_with_what_replaces_them(dreamer_description):
    task = configured(JointLimit("ends", dreamer_description))
    with pytest.raises(ParameterError, match=r"'ends'.*one direction.*limit_horizon"):
        WholeBodyQP(dreamer_description, task.rows).configure(CompoundTask([task]))


def test_a_horizon_shorter_than_some_cycles_is_refused(dreamer_description):
    controller = WholeBodyQP(dreamer_description, 1)
    controller.limit_horizon.set(0.004)
    with pytest.raises(ParameterError, match=r"limit_horizon: found 0.004, expected 0 or .*0.005"):
        controller.configure(
            CompoundTask([configured(JointPosition("posture", dreamer_description))])
        )


@each_prioritisation
def test_prints_nothing(prioritisation, capfd, rng):
    setup = dreamer_setup(two_levels)
    setup.effort(bent(setup, rng))
    solve(quadratic(setup, prioritisation), setup)
    assert capfd.readouterr() == ("", "")


@each_prioritisation
@pytest.mark.processes
def test_memory_stays_flat(prioritisation, rng):
    setup = dreamer_setup(two_levels)
    setup.effort(bent(setup, rng))
    free = setup.compute()
    bias = setup.model.bias_effort
    limit = np.abs(bias) + 0.3 * np.abs(free - bias).max()
    controller = quadratic(setup, prioritisation, effort=limit, limit_horizon=0.05)
    wanted = setup.compound.command.copy()

    def play(cycles):
        for cycle in range(cycles):
            np.multiply(wanted, 0.2 * (cycle % 7), out=setup.compound.command)
            controller.compute_command(setup.model, setup.compound, setup.command)

    play(1000)  # the first cycles look kernels up
    gc.collect()
    gc.disable()
    try:
        play(3000)  # a collection empties the interpreter's free lists, which fill again
        before = sys.getallocatedblocks()
        play(6000)
        assert sys.getallocatedblocks() - before < 60
        assert gc.collect() == 0
    finally:
        gc.enable()


@each_prioritisation
def test_after_any_changes_of_what_acts_the_effort_is_that_of_a_new_controller(prioritisation, rng):
    robot = dreamer_setup(two_levels).description
    base = configured(FlatContact("base", robot))
    held = configured(PointContact("held", robot), body="right_wrist_yaw")
    setup = Setup(robot, (base, held), two_levels(robot))
    state = bent(setup, rng)
    kept = quadratic(setup, prioritisation, priority_ramp=0.0)
    for _ in range(40):
        task = rng.choice(setup.tasks[:-1])
        task.operational_state.assign(rng.choice([ENABLE, DISABLE]))
        task.priority.assign(int(rng.integers(1, 3)))
        held.operational_state.assign(rng.choice([ENABLE, DISABLE]))
        setup.update(state)
        setup.compound.compute(0.001)
        found, expected = solve(kept, setup), solve(quadratic(setup, prioritisation), setup)
        np.testing.assert_allclose(found, expected, atol=1e-6 * (1.0 + np.abs(expected).max()))
    kernels = [v for v in vars(kept.prioritisation).values() if isinstance(v, TaskKernels)]
    assert 0 < sum(len(kernel._bound) for kernel in kernels) < 40
    setup.compound.adopt(setup.compound.task_set.without(setup.tasks[0]))
    setup.compound.compute(0.001)
    solve(kept, setup)
    assert all(
        setup.compound.stack in key
        for kernel in kernels
        for key in kernel._bound
        if kernel._tasks is setup.compound.task_set
    )
