"""Joints at their limits are constraints of WBOSC, and the other joints serve the tasks."""

from typing import NamedTuple

import clarabel
import numpy as np
import pytest
from robots_for_tests import REPOSITORY, configured, needs_example_robots
from scipy import sparse
from simulated_hands import edited
from test_wbosc import HANDS, dreamer_setup

from controlit_ros.controllers import AccelerationLimits, JointLimits
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.scripting import SimulatedController
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition

CONFIG = REPOSITORY / "config"
CYCLES = 200  # in which the active set settles at a state that stays
PERIOD = 1e-3  # [s]
EXACT, CAUTIOUS = 1e-9, 1e-2  # [-] squared, of what a level can: less in a direction fades
CUT = 1e-3  # [rad/s²] see `kernels.saturation.NOTICED`


# ---- one state, against quadratic programs


class Problem(NamedTuple):
    """Levels over y, and the accelerations of joints, rows of y, that are bounded."""

    levels: list
    rows: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def missing(self, y):
        return [float(np.linalg.norm(S @ y - target)) for S, target in self.levels]

    def excess(self, y):
        return max((self.rows @ y - self.upper).max(), (self.lower - self.rows @ y).max())

    def optimum(self, lost):
        """Return what the best y misses of each level, one program a level."""
        n = self.rows.shape[1]
        met, met_value, missing = np.zeros((0, n)), np.zeros(0), []
        G = np.vstack([self.rows, -self.rows])
        h = np.concatenate([self.upper, -self.lower])
        G, h = G[np.isfinite(h)], h[np.isfinite(h)]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        for S, target in self.levels:
            cones = [clarabel.NonnegativeConeT(len(G))]
            if len(met):
                cones.insert(0, clarabel.ZeroConeT(len(met)))
            H = S.T @ S + lost * np.trace(S.T @ S) / n * np.eye(n)
            solution = clarabel.DefaultSolver(
                sparse.csc_matrix(np.triu(H)),
                -S.T @ target,
                sparse.csc_matrix(np.vstack([met, G])),
                np.concatenate([met_value, h]),
                cones,
                settings,
            ).solve()
            y = np.array(solution.x)
            missing.append(float(np.linalg.norm(S @ y - target)))
            met, met_value = np.vstack([met, S]), np.concatenate([met_value, S @ y])
        return missing


class Saturated:
    """Dreamer with a hand above its posture, some joints at ends of their ranges.

    Args:
        seed: Of the state and of the goal.
        at_limit: How many joints are at an end.
    """

    def __init__(self, seed, at_limit=3):
        rng = np.random.default_rng(seed)
        goal = [0.3, -0.3, 1.0] + 0.2 * rng.normal(size=3)

        def tasks(description):
            gains = {"kp": 64.0, "kd": 16.0, "max_velocity": 0.5}
            hand = CartesianPosition("hand", description)
            posture = JointPosition("posture", description)
            return [
                configured(hand, body=HANDS[1], goal_position=goal, priority=1, **gains),
                configured(posture, goal_position=0.1, **gains),
            ]

        self.setup = setup = dreamer_setup(tasks)
        robot = setup.description
        limits, joints = JointLimits.of(robot), robot.command_indices
        self.limits = limits
        self.controller = WBOSC(robot, sum(task.dimension for task in setup.tasks))
        self.controller.limits = limits
        self.controller.servo_limits = AccelerationLimits(limits, 1.0 / PERIOD)
        self.controller.null_space_saturation.set(True)
        self.controller.configure(setup.compound)
        setup.controller = self.controller
        state = setup.consistent_state(rng, speed=0.3)
        state.position[joints] = np.clip(state.position[joints], limits.lower, limits.upper)
        for i in rng.choice(len(joints), at_limit, replace=False):
            ends = limits.lower[i], limits.upper[i]
            state.position[joints[i]] = ends[rng.integers(2)]
        torso = [robot.joint_index(f"torso_{part}_pitch") for part in ("lower", "upper")]
        state.position[torso[1]] = state.position[torso[0]]
        setup.update(state)

    def compute(self):
        return [self.setup.compute() for _ in range(CYCLES)][-1]

    def free(self):
        """Return the effort of the law without limits."""
        option = self.controller.null_space_saturation
        option.set(False)
        effort = self.setup.compute()
        option.set(True)
        return effort

    def y_of(self, effort):
        model = self.setup.model
        return model.effort_map.T @ (model.Phi @ (effort - model.bias_effort))

    def problem(self):
        """Return what is to be solved, after `compute`."""
        model, compound = self.setup.model, self.setup.compound
        bounds = self.controller.saturation.bounds
        upper, lower = bounds[2], -bounds[3]
        free = self.y_of(self.free())
        levels = [compound.jacobian[level.rows] @ model.task_map for level in compound.levels]
        return Problem(
            [(S, S @ free) for S in levels],
            model.Phi @ model.effort_map,
            lower.copy(),
            upper.copy(),
        )


@pytest.mark.parametrize("seed", range(24))
def test_tasks_get_what_a_quadratic_program_says_they_can(seed):
    saturated = Saturated(seed)
    y = saturated.y_of(saturated.compute())
    problem = saturated.problem()
    assert problem.excess(y) < CUT
    hand, wanted = problem.missing(y)[0], np.linalg.norm(problem.levels[0][1])
    best, cautious = problem.optimum(EXACT)[0], problem.optimum(CAUTIOUS)[0]
    assert hand <= cautious + 0.05 * wanted
    if cautious - best < 0.01 * wanted:  # no direction is nearly lost
        assert hand <= best + 0.01 * wanted


def test_what_is_not_pushed_to_a_limit_is_left_as_it_is():
    count = 0
    for seed in range(30):
        saturated = Saturated(seed, at_limit=0)
        effort = saturated.compute()
        if not saturated.controller.saturation.active.any():
            count += 1
            np.testing.assert_array_equal(effort, saturated.free())
    assert count >= 3


def test_a_servo_that_enforces_nothing_has_no_constraints():
    saturated = Saturated(1)
    plain = WBOSC(saturated.setup.description, saturated.controller.max_rows)
    plain.configure(saturated.setup.compound)
    assert plain.saturation is None


# ---- closed loops in MuJoCo


class Run:
    """A controller file whose robot begins with a joint at a limit.

    Args:
        file: Below `config`.
        saturates: Whether joints become constraints.
        at: Initial positions of joints.
        values: Of the parameters of tasks, by `task.key`.
    """

    def __init__(self, file, *, saturates=True, at=None, values=None):
        def edit(data):
            places = data["simulator"]["initial_position"]
            data["simulator"]["initial_position"] = {**places, **(at or {})}
            data["whole_body_controller"] = {"null_space_saturation": saturates}
            data["parameters"]["soft_start_time"] = 0.1
            for task in data["tasks"]:
                for key, value in (values or {}).items():
                    if key.startswith(f"{task['name']}."):
                        task[key.rpartition(".")[2]] = value

        self.simulated = SimulatedController(edited(CONFIG / file, edit))
        self.controller = self.simulated.node.stack.controller
        self.limits = self.controller.limits
        self.joints = self.controller.robot.command_joints
        self.active, self.beyond, self.fastest, self.effort, self.errors = [], 0.0, 0.0, 0.0, []

    def __enter__(self):
        self.simulated.__enter__()
        return self

    def __exit__(self, *error):
        self.simulated.__exit__(*error)

    def advance(self, time, task):
        """Go on; keep which limits were active and what passed a limit."""
        coordinator = self.simulated.node.coordinator
        indices, limits = self.controller.robot.command_indices, self.limits
        measured, goal = self.simulated.task(task).actual, self.simulated.task(task).goal
        for _ in range(round(time / PERIOD)):
            self.simulated.advance(PERIOD)
            self.active.append(np.sign(self.controller.active_limits.value))
            position = coordinator.robot_state.position[indices]
            speed = np.abs(coordinator.robot_state.velocity[indices])
            beyond = np.maximum(limits.lower - position, position - limits.upper)
            self.beyond = max(self.beyond, beyond.max())
            self.fastest = max(self.fastest, (speed / limits.velocity).max())
            effort = np.abs(coordinator.command.effort) / limits.effort
            self.effort = max(self.effort, effort.max())
            self.errors.append(float(np.linalg.norm(goal.value - measured.value)))
        return self.errors[-1]

    def changes(self, time):
        """Return how often a joint became a constraint, or ceased to be one, in the last time."""
        active = np.array(self.active[-round(time / PERIOD) :])
        return int(np.count_nonzero(np.diff(active, axis=0)))


HANDS_FILE = "dreamer/hands.yaml"
FIRST_GOAL = [0.30, -0.30, 1.00]  # of docs/client.md


def reach_the_first_goal(saturates):
    with Run(HANDS_FILE, saturates=saturates) as run:
        run.simulated.set("RightHandPosition.goal_position", FIRST_GOAL)
        run.advance(4.0, "RightHandPosition")
        before = run.simulated.node.coordinator.guard.violations
        error = run.advance(1.0, "RightHandPosition")
        return run, error, run.simulated.node.coordinator.guard.violations - before


def test_a_wrist_at_its_limit_does_not_keep_a_hand_from_its_goal():
    run, error, cuts = reach_the_first_goal(saturates=True)
    assert error < 1e-3
    assert cuts == 0
    assert run.active[-1][run.joints.index("right_wrist_pitch")] == -1.0
    assert run.changes(2.0) == 0
    assert run.beyond < 1e-4
    _, error, cuts = reach_the_first_goal(saturates=False)
    assert error > 5e-3
    assert cuts > 0


@pytest.mark.parametrize(
    ("goal", "time"),
    [(FIRST_GOAL, 3.0), ([0.308, -0.34, 1.041], 3.5), ([0.40, -0.13, 1.12], 4.0)],
    ids=["first", "aside", "high"],
)
def test_fast_hands_arrive_and_no_constraint_chatters(goal, time):
    fast = {"max_velocity": 1.5, "kp": 100, "kd": 20}
    values = {f"RightHandPosition.{key}": value for key, value in fast.items()}
    with Run(HANDS_FILE, values=values) as run:
        run.simulated.set("RightHandPosition.goal_position", goal)
        assert run.advance(time, "RightHandPosition") < 3e-3
        assert run.changes(time) < 20
        assert run.beyond < 1e-4
        assert run.fastest < 1.01


def test_a_joint_is_released_when_its_task_leads_it_away():
    with Run(HANDS_FILE) as run:
        hand = run.simulated.task("RightHandPosition")
        start = hand.actual.value.copy()
        run.simulated.set("RightHandPosition.goal_position", FIRST_GOAL)
        run.advance(4.0, "RightHandPosition")
        assert run.controller.active_limits.value.any()
        run.simulated.set("RightHandPosition.goal_position", start.tolist())
        assert run.advance(3.0, "RightHandPosition") < 1e-3
        assert not run.controller.active_limits.value.any()


FILES = ("panda/reach", "tiago/hands", "talos/stand", "icub/stand")


@needs_example_robots
@pytest.mark.parametrize("file", FILES)
def test_shipped_robots_get_the_same_command_where_no_limit_acts(file):
    with SimulatedController(CONFIG / f"{file}.yaml") as simulated:
        simulated.advance(0.1)
        node = simulated.node
        controller, model, command = (
            node.stack.controller,
            node.coordinator.swap.model,
            node.coordinator.command,
        )
        efforts = []
        for saturates in (True, False):
            controller.null_space_saturation.set(saturates)
            controller.compute(model, node.stack.tasks, 0.0, command)
            efforts.append(command.effort.copy())
        assert not controller.active_limits.value.any()
        np.testing.assert_array_equal(*efforts)
