"""Generalised against its formulas with another solver, and what it is for: smooth changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured
from test_wbosc import achieved, dreamer_setup
from test_whole_body_qp import bent, quadratic, solve
from whole_problem import optimum

from controlit_ros.controllers.generalised import Generalised
from controlit_ros.controllers.hierarchical import Hierarchical
from controlit_ros.controllers.whole_body_qp import WholeBodyQP
from controlit_ros.kernels.generalised_cost import FREE, REST, SINGULAR
from controlit_ros.optimisation.control_problem import QuadraticProgram
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import DISABLE
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_3d import Orientation3D

HAND, ELBOW = "left_wrist_yaw", "left_elbow"
NAMES = ("hand", "elbow", "posture")
REGULARISATION = 1e-6


def three_levels(description):
    """Return tasks that take much from each other: hand and elbow of one arm, and a posture."""
    hand = CartesianPosition("hand", description)
    elbow = Orientation3D("elbow", description)
    return [
        configured(hand, body=HAND, priority=2, kp=64.0, kd=3.0, goal_position=[0.3, 0.3, 1.0]),
        configured(elbow, body=ELBOW, priority=1, kp=64.0, kd=3.0),
        configured(JointPosition("posture", description), kp=60.0, kd=3.0, goal_position=0.1),
    ]


def both_hands(description):
    """Return tasks that can all be had."""
    return [
        configured(
            CartesianPosition(body, description),
            body=body, priority=level, kp=64.0, kd=3.0, goal_position=goal,
        )
        for body, level, goal in (
            (HAND, 1, [0.3, 0.3, 1.0]), ("right_wrist_yaw", 0, [0.3, -0.3, 1.0])
        )
    ]  # fmt: skip


def problem(seed, **parameters):
    setup = dreamer_setup(three_levels)
    setup.effort(bent(setup, np.random.default_rng(seed)))
    return setup, quadratic(setup, Generalised, regularisation=REGULARISATION, **parameters)


def projector(S, alpha, level, levels):
    """Return `P_i` as the paper writes it: rows sorted by falling α, orthonormal, weighted."""
    order = sorted(
        (j for j in range(len(levels)) if alpha[level, j] > 0.0), key=lambda j: -alpha[level, j]
    )
    P, basis = np.eye(S.shape[1]), np.zeros((0, S.shape[1]))
    for j in order:
        for row in S[levels[j].rows]:
            left = row - basis.T @ (basis @ row)
            left -= basis.T @ (basis @ left)
            if np.linalg.norm(left) > 1e-6 * np.linalg.norm(row):
                left /= np.linalg.norm(left)
                basis = np.vstack([basis, left])
                P -= alpha[level, j] * np.outer(left, left)
    return P


def whole_program(setup, alpha, limit):
    """Return the program over the motions of all levels, the rest, and the effort at its end."""
    model, compound = setup.model, setup.compound
    T, E, Phi = model.task_map, model.effort_map, model.Phi
    S, width, na = compound.jacobian @ T, T.shape[1], len(Phi)
    wanted = compound.command - compound.bias + compound.jacobian @ model.drift
    levels, n = compound.levels, (len(compound.levels) + 1) * width + na
    H, g, move = np.zeros((n, n)), np.zeros(n), np.zeros((width, n))
    heaviest = 0.0
    for i, level in enumerate(levels):
        own = slice(i * width, (i + 1) * width)
        rows, root = S[level.rows], np.sqrt(compound.weight[level.rows])[:, None]
        rows, target = root * rows, root[:, 0] * wanted[level.rows]
        rank = np.linalg.matrix_rank(rows, tol=1e-6 * np.abs(rows).max())
        basis = np.linalg.svd(rows)[2][:rank]
        mean = np.sum(rows**2) / rank
        heaviest = max(heaviest, mean)
        spanned = basis.T @ basis
        free = np.eye(width) - spanned
        damped = max(REGULARISATION, SINGULAR * mean)
        H[own, own] = rows.T @ rows + damped * spanned + FREE * mean * free
        g[own] = -rows.T @ target
        move[:, own] = projector(S, alpha, i, levels)
    rest, effort = slice(n - na - width, n - na), slice(n - na, n)
    move[:, rest] = np.eye(width)
    move[:, effort] = -E.T @ Phi
    H[rest, rest] = REST * heaviest * np.eye(width)
    still = np.eye(na) - Phi @ E @ E.T
    inner = REGULARISATION * np.trace(Phi) / na * still.T @ still
    H[effort, effort] = inner
    g[effort] = -inner @ model.bias_effort
    equal = -E.T @ Phi @ model.bias_effort
    bound = np.full(na, limit)
    return QuadraticProgram(H, g, move, equal, np.eye(n)[effort], -bound, bound)


def least_cost(program, effort):
    """Return the least cost of a program at an effort."""
    H, g, move, equal, rows, *_ = program
    held = np.vstack([move, rows])
    system = np.block([[H, held.T], [held, np.zeros((len(held), len(held)))]])
    x = np.linalg.lstsq(system, np.concatenate([-g, equal, effort]), rcond=1e-15)[0][: len(g)]
    return 0.5 * x @ H @ x + g @ x


def stated(parts):
    """Return parameters that state a part for every pair of the three levels."""
    pairs = [("hand", "elbow"), ("hand", "posture"), ("elbow", "posture")]
    names = [name for pair in pairs for name in pair]
    return {"priority_pairs": names, "pair_priorities": list(parts)}


def matrix(parts):
    alpha = np.zeros((3, 3))
    for (i, j), part in zip(((0, 1), (0, 2), (1, 2)), parts, strict=True):
        alpha[j, i], alpha[i, j] = part, 1.0 - part
    return alpha


PARTS = st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0])


@given(seed=SEEDS, parts=st.tuples(PARTS, PARTS, PARTS), room=st.sampled_from([0.1, 0.5, 100.0]))
def test_is_the_optimum_of_its_formulas_by_another_solver(seed, parts, room):
    setup, _ = problem(seed)
    free, bias = setup.compute(), setup.model.bias_effort
    limit = np.abs(bias).max() + room * np.abs(free - bias).max()
    controller = quadratic(
        setup, Generalised, effort=limit, regularisation=REGULARISATION, **stated(parts)
    )
    found = solve(controller, setup)
    assert np.abs(found).max() <= (1.0 + 1e-6) * limit
    program = whole_program(setup, matrix(parts), limit)
    expected = optimum(program)[-len(found) :]
    if least_cost(program, found) < (1.0 + 1e-6) * least_cost(program, expected) < 0.0:
        return  # where levels stand above each other in a circle, clarabel may end too early
    np.testing.assert_allclose(found, expected, atol=1e-5 * (1.0 + np.abs(expected).max()))


@given(seed=SEEDS)
def test_whatever_stands_below_the_first_level_does_not_disturb_it(seed):
    setup, controller = problem(seed)
    state = setup.model.robot_model.state
    found = achieved(setup, state, solve(controller, setup))[0]
    for task in setup.tasks[1:]:
        task.operational_state.set(DISABLE)
    setup.update(state)
    setup.compute()
    controller.restart()
    alone = achieved(setup, state, solve(controller, setup))[0]
    np.testing.assert_allclose(found, alone, atol=1e-4 * (1.0 + np.abs(alone).max()))


def swap(controller, setup, cycles):
    """Exchange hand and elbow; return the efforts of the cycles after it, `(cycles, na)`."""
    before = solve(controller, setup)
    setup.tasks[0].priority.set(1)
    setup.tasks[1].priority.set(2)
    setup.compound.compute(0.0)
    return np.array([before, *(solve(controller, setup) for _ in range(cycles))])


@given(seed=SEEDS, cycles=st.sampled_from([10, 50]))
def test_a_swap_moves_no_effort_by_more_than_eq_9_would(seed, cycles):
    """At rest eq. 9 goes from the old to the new effort in equal steps."""
    setup, controller = problem(seed)
    controller.priority_ramp.set(cycles * controller.period)
    efforts = swap(controller, setup, cycles + 5)
    steps = np.abs(np.diff(efforts, axis=0))
    whole = np.abs(efforts[-1] - efforts[0])
    assert whole.max() > 0.1
    assert (steps <= whole / cycles + 1e-6 * (1.0 + whole.max())).all()
    np.testing.assert_allclose(efforts[cycles:], efforts[-1:].repeat(6, 0), atol=1e-9)
    fresh = quadratic(setup, Generalised, regularisation=REGULARISATION)
    np.testing.assert_allclose(solve(fresh, setup), efforts[-1], atol=1e-6 * (1 + whole.max()))


def test_without_it_the_whole_effort_jumps(rng):
    setup, _ = problem(1)
    efforts = swap(quadratic(setup, Hierarchical), setup, 3)
    steps = np.abs(np.diff(efforts, axis=0)).max(axis=1)
    assert steps[0] > 1.0
    assert steps[1:].max() < 1e-9


@given(seed=SEEDS, room=st.sampled_from([0.1, 0.3]))
def test_a_swap_keeps_limits(seed, room):
    setup, _ = problem(seed)
    free, bias = setup.compute(), setup.model.bias_effort
    limit = np.abs(bias).max() + room * np.abs(free - bias).max()
    controller = quadratic(setup, Generalised, effort=limit, priority_ramp=0.02)
    assert np.abs(swap(controller, setup, 25)).max() <= limit


def test_a_part_of_a_priority_changes_while_running():
    setup, controller = problem(2, **stated([1.0, 1.0, 1.0]), priority_ramp=0.0)
    strict = solve(controller, setup)
    controller.pair_priorities.set([0.5, 1.0, 1.0])
    half = solve(controller, setup)
    controller.pair_priorities.set([0.0, 1.0, 1.0])
    other = solve(controller, setup)
    assert np.abs(half - strict).max() > 0.1
    np.testing.assert_allclose(half, 0.5 * (strict + other), atol=1e-5 * np.abs(strict).max())


def test_a_lower_level_does_not_have_all_that_is_left():
    """What the docs do not promise: each level moves as if it were alone, from the torso on."""
    setup = dreamer_setup(both_hands)
    state = bent(setup, np.random.default_rng(3))
    setup.effort(state)
    compound, missing = setup.compound, []
    for prioritisation in (Generalised, Hierarchical):
        used = quadratic(setup, prioritisation)
        reached = achieved(setup, state, solve(used, setup))[1]
        missing.append(np.abs(reached - compound.command[compound.levels[1].rows]).max())
    assert missing[0] > 0.1
    assert missing[1] < 1e-3


def test_levels_of_other_tasks_stand_where_they_belong_at_once():
    setup, controller = problem(4)
    solve(controller, setup)
    setup.tasks[1].operational_state.set(DISABLE)
    setup.compound.compute(0.0)
    found = solve(controller, setup)
    fresh = quadratic(setup, Generalised, regularisation=REGULARISATION)
    np.testing.assert_allclose(solve(fresh, setup), found, atol=1e-9)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"priority_pairs": ["hand"]}, r"priority_pairs: found 1 names, expected two"),
        ({"priority_pairs": ["hand", "elbwo"]}, r"unknown task 'elbwo'.*elbow"),
        ({"priority_pairs": ["hand", "hand"]}, r"'hand' twice"),
        ({"priority_pairs": ["hand", "elbow"]}, r"pair_priorities: found 0 numbers, expected 1"),
    ],
)
def test_pairs_that_are_none_are_told(parameters, text):
    with pytest.raises(ParameterError, match=text):
        problem(0, **parameters)


def test_pairs_need_a_prioritisation_that_knows_them():
    setup, _ = problem(0)
    with pytest.raises(ParameterError, match=r"priority_pairs: .*expected none, or .*Generalised"):
        quadratic(setup, Hierarchical, **stated([1.0, 1.0, 1.0]))


def test_a_part_is_between_0_and_1_and_there_is_one_for_each_pair():
    _, controller = problem(0, **stated([1.0, 1.0, 1.0]))
    assert isinstance(controller, WholeBodyQP)
    values = controller.pair_priorities
    with pytest.raises(ParameterError, match="pair_priorities"):
        values.set([1.5, 0.0, 0.0])
    with pytest.raises(ParameterError, match="found 2 numbers, expected 3"):
        values.fits({values: (0.5, 0.5)})
