"""CommandGuard: nothing infinite passes, enforced limits hold, the rest only warns."""

import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from rig import describe, unlimited

from controlit_ros.controllers.command import Command
from controlit_ros.kernels import keep_inside
from controlit_ros.kernels.keep_inside import (
    ALLOWED,
    BY_ACCELERATION,
    BY_RANGE,
    BY_SPEED,
    SCRATCH_ROWS,
    UNHELD,
)
from controlit_ros.model import RobotState
from controlit_ros.servo import CommandGuard, LocalQueue, NoticeBoard
from controlit_ros.servo.routine import Routine

FIELDS = ("effort", "position", "velocity", "stiffness", "damping")


def make(settings):
    queue = LocalQueue(lambda _: None)
    robot = describe(3)
    command = Command(robot.command_joints, with_motion=True, with_gains=True)
    return CommandGuard(robot, settings, NoticeBoard(queue)), command, queue


def enforce(guard, command, now):
    Routine(guard.enforcing(command)).run(now)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_bad_number_anywhere_is_seen(field, bad):
    guard, command, _ = make(unlimited(3))
    assert guard.is_finite(command)
    getattr(command, field)[1] = bad
    assert not guard.is_finite(command)


@pytest.mark.filterwarnings("error")
def test_opposite_infinities_do_not_cancel_nor_warn():
    guard, command, _ = make(unlimited(3))
    command.effort[:] = (math.inf, -math.inf, 0.0)
    assert not guard.is_finite(command)


def test_fields_a_controller_does_not_use_are_no_matter():
    guard, _, _ = make(unlimited(3))
    assert guard.is_finite(Command(("a", "b", "c")))


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_only_enforced_joints_are_truncated(sign):
    some = np.array([True, False, True])
    guard, command, queue = make(unlimited(3)._replace(enforce_effort=some, enforce_velocity=some))
    command.effort[:] = (sign * 60.0, sign * 60.0, 1.0)
    command.velocity[:] = (1.0, sign * 11.0, sign * 11.0)
    command.position[:] = 100.0
    enforce(guard, command, 0.0)
    np.testing.assert_array_equal(command.effort, (sign * 50.0, sign * 60.0, 1.0))
    np.testing.assert_array_equal(command.velocity, (1.0, sign * 11.0, sign * 10.0))
    np.testing.assert_array_equal(command.position, 100.0)
    assert [notice.text for notice in queue.drain()] == [
        f"effort limit of joint_0: command {sign * 60:g}, limit {sign * 50:g}",
        f"velocity limit of joint_2: command {sign * 11:g}, limit {sign * 10:g}",
    ]


def test_a_joint_that_stays_at_its_limit_is_told_less_and_less_often():
    guard, command, queue = make(unlimited(3)._replace(enforce_effort=np.ones(3, dtype=bool)))

    def push(seconds, *effort):
        for tick in seconds:
            command.effort[:] = effort
            enforce(guard, command, float(tick))
        return [(notice.stamp, notice.text, notice.repeated) for notice in queue.drain()]

    text = "effort limit of joint_0: command 60, limit 50"
    steady = push(np.arange(0.0, 124.0, 0.125), 60.0, 0.0, 0.0)
    assert [stamp for stamp, _, _ in steady] == [0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0, 123.0]
    assert {found for _, found, _ in steady} == {text}
    assert [more for _, _, more in steady] == [0, 7, 15, 31, 63, 127, 255, 479]
    other = push(np.arange(124.0, 125.0, 0.125), 60.0, 60.0, 0.0)
    assert other == [(124.0, "effort limit of joint_1: command 60, limit 50", 0)]
    assert push(np.arange(125.0, 130.0, 0.125), 0.0, 0.0, 0.0) == []
    assert push((130.0,), 60.0, 0.0, 0.0) == [(130.0, text, 8 * 2 - 1)]


def test_the_highest_effort_only_warns_once_a_second_and_joint():
    guard, command, queue = make(unlimited(3)._replace(max_effort=np.array([5.0, np.inf, 5.0])))
    command.effort[:] = (6.0, 1e9, -7.0)
    for tick in range(1500):
        enforce(guard, command, tick * 1e-3)
    np.testing.assert_array_equal(command.effort, (6.0, 1e9, -7.0))
    texts = [notice.text for notice in queue.drain()]
    expected = "max_effort_command of joint_0: command 6, limit 5; joint_2: command -7, limit -5"
    assert texts == [expected] * 2


def test_joints_that_pass_a_limit_together_share_a_notice():
    guard, command, queue = make(unlimited(3)._replace(enforce_effort=np.ones(3, dtype=bool)))
    command.effort[:] = (60.0, 0.0, -70.0)
    enforce(guard, command, 0.0)
    for tick in range(1, 2000):
        command.effort[:] = (60.0, 51.0 if tick >= 500 else 0.0, -70.0)
        enforce(guard, command, tick * 1e-3)
    notices = queue.drain()
    assert [notice.text for notice in notices] == [
        "effort limit of joint_0: command 60, limit 50; joint_2: command -70, limit -50",
        "effort limit of joint_1: command 51, limit 50",
        "effort limit of joint_0: command 60, limit 50; joint_2: command -70, limit -50",
        "effort limit of joint_1: command 51, limit 50",
    ]
    assert [notice.repeated for notice in notices] == [0, 0, 2 * 999, 999]
    assert guard.violations == 2000 + 1500 + 2000


class TestRate:
    def make(self, *rate):
        return make(unlimited(3)._replace(max_effort_rate=np.array(rate)))

    def test_efforts_change_no_faster_than_allowed(self):
        guard, command, queue = self.make(1000.0, np.inf, 500.0)
        sent = []
        for tick in range(50):
            command.effort[:] = 0.0 if tick == 0 else (10.0, 10.0, -10.0)
            enforce(guard, command, tick * 1e-3)
            sent.append(command.effort.copy())
        np.testing.assert_allclose(np.diff(sent, axis=0)[:10, 0], 1.0)
        np.testing.assert_allclose(np.diff(sent, axis=0)[:20, 2], -0.5)
        assert sent[1][1] == 10.0
        np.testing.assert_allclose(sent[-1], (10.0, 10.0, -10.0))
        (notice,) = queue.drain()
        assert notice.text == (
            "max_effort_rate of joint_0: change per second 1e+04, limit 1000; "
            "joint_2: change per second -1e+04, limit -500"
        )

    def test_the_first_command_and_one_after_a_long_time_may_be_anything(self):
        guard, command, queue = self.make(100.0, 100.0, 100.0)
        command.effort[:] = 40.0
        enforce(guard, command, 5.0)
        np.testing.assert_array_equal(command.effort, 40.0)
        command.effort[:] = -40.0
        enforce(guard, command, 6.0)
        np.testing.assert_array_equal(command.effort, -40.0)
        assert queue.drain() == []

    def test_a_clock_that_begins_anew_does_not_matter(self):
        guard, command, _ = self.make(100.0, 100.0, 100.0)
        enforce(guard, command, 5.0)
        command.effort[:] = 40.0
        enforce(guard, command, 0.0)
        np.testing.assert_array_equal(command.effort, 40.0)


def allowed(reserve, slack, times, return_time):
    """Accelerations allowed by a reserve of speed, as the docstring of the kernel has them."""
    response, reaction = times[1:]
    near = np.divide(reserve, response * (1.0 - reserve / slack))
    inside = np.minimum(np.where(reserve < slack, near, np.inf), reserve / reaction)
    return np.where(reserve > 0.0, inside, reserve / return_time)


def nearness(reserve, slack):
    """What counts of a push: all within the margin, nothing from three margins on."""
    return np.interp(reserve / slack, [1.0, 3.0], [1.0, 0.0])


def bounds(case, margins, times):
    """Accelerations allowed upwards and downwards by range and speed, `(2, 2, n)`."""
    lower, upper, speed = case.limits
    result = []
    for left, (v, fast), room, (push, soon) in (
        (upper - case.position, case.velocity, case.bias - case.box[0], case.unexplained),
        (case.position - lower, -case.velocity, case.box[1] - case.bias, -case.unexplained),
    ):
        way = np.maximum(left, 0.0)
        brake = np.diag(case.Phi) * np.maximum(room, 0.05 * (case.box[1] - case.box[0]))
        reach = np.minimum(way / times[0], np.sqrt(brake * way))
        slack, margin = margins[0] / times[0], margins[1]
        by_range = allowed(reach - v, slack, times, times[1])
        by_speed = allowed(speed - fast, margin, times, times[2])
        result.append(
            (
                by_range - np.maximum(push, 0.0) * nearness(reach - v, slack),
                by_speed - np.maximum(soon, 0.0) * nearness(speed - fast, margin),
            )
        )
    return np.array(result)


class Case(NamedTuple):
    """What `keep_inside` is given."""

    effort: np.ndarray
    box: np.ndarray
    bias: np.ndarray
    Phi: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    unexplained: np.ndarray
    limits: np.ndarray


@pytest.mark.filterwarnings("ignore:.*encountered in (divide|multiply)")
class TestKernel:
    N = 6
    TIMES = np.array([0.12, 0.02, 0.005])
    MARGINS = np.vstack([np.full(N, 0.02), np.full(N, 0.2)])

    def draw(self, rng, *, scale=1.0, free=False, coupling=0.3):
        """Draw a chain somewhere in its range, with efforts wanted up to a scale of its limits."""
        n = self.N
        lengths = 10.0 ** rng.uniform(-1.5, 0.5, n)  # joints of very different inertia
        root = lengths[:, None] * (np.eye(n) + coupling * rng.normal(size=(n, n)))
        Phi = root @ root.T
        lower, upper = -0.1 - rng.random(n), 0.1 + rng.random(n)
        speed = 0.5 + 2.0 * rng.random(n)
        position, velocity = rng.uniform(lower, upper), speed * rng.uniform(-1.0, 1.0, (2, n))
        velocity[1] = np.where(rng.random(n) < 0.5, velocity[0], velocity[1])
        most = 100.0 * speed / np.diag(Phi) * 10.0 ** rng.uniform(-1.0, 1.0, n)
        bias = 0.5 * most * rng.uniform(-1.0, 1.0, n)
        effort = scale * most * rng.normal(size=n)
        box = np.vstack([-most, most])
        if free:
            box = np.vstack([np.full(n, -np.inf), np.full(n, np.inf)])
        else:
            np.clip(effort, *box, out=effort)
        limits = np.vstack([lower, upper, speed])
        limits[:, rng.integers(n)] = (-np.inf, np.inf, np.inf)
        unexplained = np.where(rng.random((2, n)) < 0.2, 5.0 * rng.normal(size=(2, n)), 0.0)
        return Case(effort, box, bias, Phi, position, velocity, unexplained, limits)

    def keep(self, case, *, tolerance=0.0):
        kinds, self.scratch = np.zeros(self.N, dtype=np.int8), np.zeros((SCRATCH_ROWS, self.N))
        work = (self.scratch, np.zeros((2, self.N, self.N)), kinds)
        acted = keep_inside(*case, self.MARGINS, self.TIMES, tolerance, *work)
        return acted, kinds

    def test_what_keeps_its_bounds_is_not_touched_however_near_or_large(self, rng):
        untouched = 0
        for _ in range(2000):
            case = self.draw(rng, scale=10.0 ** rng.uniform(-3.0, 0.0))
            above, below = bounds(case, self.MARGINS, self.TIMES).min(axis=1)
            acceleration = case.Phi @ (case.effort - case.bias)
            if (acceleration > above).any() or (-acceleration > below).any():
                continue
            before = case.effort.copy()
            acted, kinds = self.keep(case)
            np.testing.assert_array_equal(case.effort, before)
            assert not acted
            assert not kinds.any()
            untouched += 1
        assert untouched > 30

    @pytest.mark.parametrize("scale", [0.1, 1.0, 10.0, 1e3, 1e9])
    @pytest.mark.parametrize("coupling", [0.1, 0.3, 1.0])
    def test_whatever_is_wanted_no_effort_and_no_bound_is_passed(self, rng, scale, coupling):
        """With room for the bias, bounds of zero or more can be kept; so they are."""
        changed = 0
        for _ in range(150):
            case = self.draw(rng, scale=scale, coupling=coupling)
            above, below = bounds(case, self.MARGINS, self.TIMES).min(axis=1)
            if (np.minimum(above, below) < 0.0).any():
                continue  # it brakes: what there is for that is another test's
            before = case.effort.copy()
            self.keep(case)
            assert (case.box[0] <= case.effort).all()
            assert (case.effort <= case.box[1]).all()
            acceleration = case.Phi @ (case.effort - case.bias)
            taken = np.abs(case.Phi) @ np.abs(before - case.effort)
            slack = 1.0 + 1e-4 * taken
            assert (acceleration <= above + slack).all()
            assert (-acceleration <= below + slack).all()
            changed += (before != case.effort).any()
        assert changed > 20

    def test_strong_motors_keep_their_own_joints_and_no_more_than_that(self, rng):
        """Without limits of effort the efforts taken solve the linear complementarity problem."""
        held_together = 0
        for _ in range(300):
            case = self.draw(rng, free=True, scale=0.3, coupling=0.1)
            above, below = bounds(case, self.MARGINS, self.TIMES).min(axis=1)
            if (-below > above).any():
                continue  # too fast for a range so small: nothing keeps both
            before = case.effort.copy()
            _, kinds = self.keep(case)
            taken, reached = before - case.effort, case.Phi @ (case.effort - case.bias)
            change = np.abs(taken) * np.diag(case.Phi)
            assert (reached <= above + 0.3).all()
            assert (-reached <= below + 0.3).all()
            up, down = (taken > 0.0) & (change > 1.0), (taken < 0.0) & (change > 1.0)
            np.testing.assert_allclose(reached[up], above[up], atol=0.3)
            np.testing.assert_allclose(-reached[down], below[down], atol=0.3)
            held_together += np.count_nonzero(kinds) > 1
        assert held_together > 30

    def test_a_weak_joint_is_not_thrown_by_strong_neighbours(self):
        """Its own motor cannot hold it: the neighbour gives way, and the weak one helps fully."""
        Phi = np.eye(self.N)
        Phi[:2, :2] = [[10.0, 8.0], [8.0, 10.0]]
        box = np.vstack([np.full(self.N, -20.0), np.full(self.N, 20.0)])
        box[:, 1] = (-1.0, 1.0)
        effort = np.array([15.0, 0.0, 3.0, 0.0, 0.0, 0.0])
        still, pair = np.zeros(self.N), np.zeros((2, self.N))
        limits = np.vstack([np.full(self.N, -np.inf), np.full(self.N, np.inf), np.ones(self.N)])
        limits[2, 1] = 0.3
        acted, kinds = self.keep(Case(effort, box, still, Phi, still, pair, pair, limits))
        assert acted
        np.testing.assert_array_equal(kinds, [0, BY_ACCELERATION, 0, 0, 0, 0])
        acceleration = Phi @ effort
        np.testing.assert_allclose(acceleration[1], 0.3 / self.TIMES[2], atol=0.1)
        np.testing.assert_allclose(effort[1], -1.0, atol=1e-3)
        np.testing.assert_allclose(effort[0], (60.0 + 10.0) / 8.0, atol=0.02)
        np.testing.assert_allclose(effort[2:], [3.0, 0.0, 0.0, 0.0], atol=1e-4)

    def test_speed_comes_before_range_where_both_cannot_be_kept(self):
        """Two joints that only move together: one is too fast for its range, the other could."""
        Phi = np.eye(self.N)
        Phi[:2, :2] = [[1.0, -0.999], [-0.999, 1.0]]
        box = np.vstack([np.full(self.N, -50.0), np.full(self.N, 50.0)])
        bias = np.zeros(self.N)
        bias[:2] = 50.5  # gravity is stronger than the motors: no effort keeps both still
        limits = np.vstack([np.full(self.N, -np.inf), np.full(self.N, np.inf), np.ones(self.N)])
        limits[0, 1] = 0.0
        velocity = np.zeros((2, self.N))
        velocity[:, 0] = -1.0
        effort = np.full(self.N, 50.0)
        effort[2:] = 0.0
        case = Case(effort, box, bias, Phi, np.zeros(self.N), velocity, 0.0 * velocity, limits)
        self.keep(case)
        acceleration = Phi @ (effort - bias)
        assert acceleration[0] > -0.1
        assert np.isfinite(effort).all()

    @pytest.mark.parametrize("scale", [0.3, 3.0, 1e3])
    def test_a_limit_is_named_only_near_it(self, rng, scale):
        """What else holds a joint back is the acceleration that would use up what is left."""
        found = {BY_RANGE: 0, BY_SPEED: 0, BY_ACCELERATION: 0}
        for _ in range(400):
            case = self.draw(rng, scale=scale)
            lower, upper, speed = case.limits
            _, kinds = self.keep(case, tolerance=1.0)
            unheld, bound = self.scratch[UNHELD], self.scratch[ALLOWED]
            above, below = bounds(case, self.MARGINS, self.TIMES)
            for i in np.flatnonzero(kinds):
                is_up = unheld[i] > bound[i]
                by_range, by_speed = (above if is_up else below)[:, i]
                sign = 1.0 if is_up else -1.0
                np.testing.assert_allclose(sign * bound[i], min(by_range, by_speed), rtol=1e-9)
                assert sign * (unheld[i] - bound[i]) > 1.0
                v, fast = sign * case.velocity[:, i]
                is_fast = fast >= min(0.9 * speed[i], speed[i] - 0.2)
                way = max(upper[i] - case.position[i] if is_up else case.position[i] - lower[i], 0)
                slowest = way / self.TIMES[0]  # at least so far from what it may do there
                if kinds[i] == BY_SPEED:
                    assert is_fast
                elif kinds[i] == BY_RANGE:
                    assert by_range < by_speed
                    assert v > 0.0 or way < 0.02 + 1e-9
                elif by_speed <= by_range:
                    assert not is_fast
                else:
                    assert v < 0.9 * slowest
                found[int(kinds[i])] += 1
        assert min(found.values()) > 10, found

    def test_what_no_effort_can_keep_leaves_efforts_finite_and_within_their_limits(self, rng):
        for _ in range(300):
            case = self.draw(rng, scale=100.0)
            case.bias[:] *= 5.0
            case.velocity[:] *= 3.0
            self.keep(case)
            assert np.isfinite(case.effort).all()
            assert (case.box[0] <= case.effort).all()
            assert (case.effort <= case.box[1]).all()

    def test_the_bound_has_no_step(self):
        """The allowed acceleration changes steadily from far away to beyond the limit."""
        reserve = np.linspace(2.0, -0.1, 200_001)
        found = allowed(reserve, 0.2, self.TIMES, 0.005)
        assert (np.diff(found) < 0.0).all()
        assert np.abs(np.diff(found)).max() < 0.01

    def test_an_effort_that_cannot_move_its_joint_is_left_alone(self):
        n = self.N
        effort = np.full(n, 1e3)
        limits = np.array([[-1.0] * n, [0.0] * n, [1.0] * n])
        free = np.vstack([np.full(n, -np.inf), np.full(n, np.inf)])
        still, pair = np.zeros(n), np.zeros((2, n))
        acted, _ = self.keep(Case(effort, free, still, np.zeros((n, n)), still, pair, pair, limits))
        assert not acted
        np.testing.assert_array_equal(effort, 1e3)


class TestKeepInside:
    def play(
        self,
        *,
        push,
        position,
        velocity=0.0,
        flags=(True, True),
        cycles=2000,
        gravity=7.0,
        held=1,
        unknown=lambda _: 0.0,
        measure=lambda velocity: velocity,
        misplaced=lambda: 0.0,
        delay=0,
    ):
        """Push a joint of 2 kg m² under constant gravity; return its path and the guard's queue.

        What acts beside the efforts is `unknown` of the cycle [N m]; commands act `delay` cycles
        later; `measure` is what becomes of the speed, and `misplaced` how wrong the position is.
        """
        enforce = {
            "enforce_position": np.full(1, flags[0]),
            "enforce_velocity": np.full(1, flags[1]),
        }
        queue = LocalQueue(lambda _: None)
        robot = describe(1)
        guard = CommandGuard(robot, unlimited(1)._replace(**enforce), NoticeBoard(queue))
        command, state = Command(robot.command_joints), RobotState(robot.real_joints)
        model = SimpleNamespace(bias_effort=np.full(1, gravity), Phi=np.array([[0.5]]))
        path, under_way = [], [gravity] * delay
        round_trip = np.array([(delay + 1) * 1e-3])
        inside = guard.keeping_inside(command, state, model, round_trip)
        routine = Routine(guard.enforcing(command) + inside)
        for tick in range(cycles):
            if tick % held == 0:  # else the last measurement is met again
                state.position[:], state.velocity[:] = position + misplaced(), measure(velocity)
                state.stamp = (tick + 1) * 1e-3
            command.effort[:] = push
            routine.run(tick * 1e-3)
            under_way.append(command.effort[0])
            velocity += (under_way.pop(0) - gravity + unknown(tick)) / 2.0 * 1e-3
            position += velocity * 1e-3
            path.append((position, velocity))
        return np.array(path), [notice.text for notice in queue.drain()]

    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    def test_no_push_leads_out_of_the_range_nor_over_the_speed(self, sign):
        path, texts = self.play(push=sign * 500.0, position=0.0)
        assert np.abs(path[:, 0]).max() <= 3.0
        assert np.abs(path[:, 1]).max() <= 10.0
        assert sign * path[-1, 0] > 2.99  # it gets there
        assert any(text.startswith("velocity limit of joint_0: held back at") for text in texts)
        expected = f"limit {sign * 3:g}"
        assert any(t.startswith("position limit of") and t.endswith(expected) for t in texts)

    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    def test_a_joint_at_rest_that_is_asked_for_too_much_is_not_at_its_speed(self, sign):
        """(1e4 − 7) / 2 rad/s² where 10 rad/s within five cycles are allowed."""
        for velocity in (0.0, -4e-11, 4e-11, 0.8 * sign):
            push = sign * 1e4
            _, texts = self.play(push=push, position=0.0, velocity=velocity, cycles=1)
            (text,) = texts
            asked, allowed_ = (push - 7.0) * 0.5, (sign * 10.0 - velocity) / 0.005
            found = f"held back from {asked:.4g}, limit {allowed_:.4g}"
            assert text == f"acceleration limit of joint_0: {found}"

    def test_from_nine_tenths_of_its_speed_on_it_is_at_its_limit(self):
        for velocity, what in ((8.9, "acceleration"), (9.1, "velocity")):
            _, texts = self.play(push=1e4, position=0.0, velocity=velocity, cycles=1)
            assert [text.split(" limit of ")[0] for text in texts] == [what]

    @pytest.mark.parametrize("held", [2, 5, 10, 40])
    def test_a_measurement_that_is_met_again_brakes_once(self, held):
        path, _ = self.play(push=7.0, position=0.0, velocity=14.0, cycles=150, held=held)
        assert path[:, 1].min() > 9.5
        assert path[-1, 1] < 10.01
        path, _ = self.play(push=500.0, position=0.0, held=held)
        assert np.abs(path[:, 0]).max() <= 3.0 + 1e-6
        assert np.abs(path[:, 1]).max() <= 10.0 + 1e-6

    @pytest.mark.parametrize("held", [1, 4])
    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    def test_a_push_that_no_effort_explains_is_held_against(self, sign, held):
        """Else it leaves its range by as much as the range is wide."""
        path, _ = self.play(
            push=sign * 500.0, position=0.0, held=held, unknown=lambda _: sign * 200.0
        )
        assert np.abs(path[:, 0]).max() <= 3.0 + 1e-3
        assert np.abs(path[:, 1]).max() <= 10.0 + 0.1

    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    @pytest.mark.parametrize("delay", [0, 4, 10])
    def test_pushes_that_change_sides_late_in_the_loop_are_held_against(self, sign, delay):
        """As dry friction does; 20 % over after 4 ms, 45 after 10 where it is not expected."""

        def friction(tick):
            return sign * (250.0 if tick // 60 % 2 else -250.0)

        path, _ = self.play(push=sign * 2e3, position=-sign * 2.9, unknown=friction, delay=delay)
        assert np.abs(path[:, 1]).max() <= 10.0 * 1.05

    @pytest.mark.parametrize("delay", [0, 4, 10])
    def test_what_is_under_way_counts(self, delay):
        """A joint gets to its speed as fast as without a delay, and not past it."""
        path, _ = self.play(push=500.0, position=-2.9, delay=delay, cycles=400)
        assert np.abs(path[:, 1]).max() <= 10.0
        assert path[:, 1].max() > 8.0

    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    def test_positions_show_a_speed_that_is_measured_too_low(self, sign):
        """No more than noise may be, so that the measurement is believed; 14.9 rad/s without."""
        path, _ = self.play(
            push=sign * 500.0, position=-sign * 2.9, measure=lambda velocity: velocity - sign * 5.0
        )
        assert np.abs(path[:, 1]).max() <= 10.0 * 1.05

    def test_a_speed_that_is_measured_too_high_only_brakes(self):
        path, _ = self.play(push=500.0, position=-2.9, measure=lambda velocity: velocity + 5.0)
        assert path[:, 1].max() <= 10.0

    def test_a_position_that_jumps_throws_no_joint(self):
        """A joint that seems elsewhere is braked by no more than what a speed may be wrong by."""
        jumps = iter([0.0] * 100 + [0.04] * 10000)
        path, _ = self.play(
            push=7.0, position=0.0, velocity=9.0, cycles=200, misplaced=lambda: next(jumps)
        )
        assert path[:, 1].min() > 8.0

    @pytest.mark.parametrize("held", [1, 4])
    def test_what_pushes_back_is_not_relied_on(self, held):
        """A joint that stands at an obstacle and breaks through is not faster than its limit."""

        def wall(tick):
            return -493.0 if tick < 300 else 0.0  # takes the whole push

        path, _ = self.play(push=500.0, position=0.0, cycles=600, held=held, unknown=wall)
        assert abs(path[250, 1]) < 0.1
        assert path[:, 1].max() > 5.0
        assert path[:, 1].max() <= 10.0 + 1e-6
        assert path[:, 0].max() <= 3.0 + 1e-6

    def test_without_enforcement_it_would(self):
        path, texts = self.play(push=500.0, position=0.0, flags=(False, False))
        assert path[-1, 0] > 100.0
        assert texts == []

    def test_only_the_speed_is_limited_where_only_that_is_enforced(self):
        path, _ = self.play(push=500.0, position=0.0, flags=(False, True))
        assert path[-1, 0] > 3.0
        assert path[:, 1].max() <= 10.0

    def test_what_is_inside_and_slow_is_left_alone(self):
        path, texts = self.play(push=7.5, position=0.0, cycles=500)
        np.testing.assert_allclose(path[-1, 1], 0.25 * 0.5, rtol=1e-6)
        assert texts == []

    def test_a_joint_at_its_end_stays_under_gravity(self):
        for gravity in (-30.0, 30.0):
            path, _ = self.play(push=500.0, position=3.0, gravity=gravity, cycles=500)
            np.testing.assert_allclose(path[:, 0], 3.0, atol=1e-9)

    def test_a_joint_outside_is_neither_driven_back_nor_hindered_to_come(self):
        path, _ = self.play(push=500.0, position=3.5, cycles=500)
        np.testing.assert_allclose(path[:, 0], 3.5, atol=1e-9)
        path, _ = self.play(push=-20.0, position=3.5, cycles=300)
        assert path[-1, 0] < 3.0

    @pytest.mark.parametrize("push", [7.0 + 1.9, 7.0 - 1.9])
    def test_a_joint_that_rests_at_its_end_is_no_matter(self, push):
        for position in (3.0, 3.0 + 1e-9, 3.0 - 1e-9):
            _, texts = self.play(push=push, position=position, cycles=100)
            assert texts == []
        _, texts = self.play(push=9.1, position=3.0, cycles=100)
        assert texts == ["position limit of joint_0: held back at 3, limit 3"]
