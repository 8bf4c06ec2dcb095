"""CommandGuard: nothing infinite passes, enforced limits hold, the rest only warns."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from rig import describe, unlimited

from controlit_ros.controllers.command import Command
from controlit_ros.kernels import keep_inside
from controlit_ros.model import RobotState
from controlit_ros.servo import CommandGuard, LocalQueue, NoticeBoard

FIELDS = ("effort", "position", "velocity", "stiffness", "damping")


def make(settings):
    queue = LocalQueue(lambda _: None)
    robot = describe(3)
    command = Command(robot.command_joints, with_motion=True, with_gains=True)
    return CommandGuard(robot, settings, NoticeBoard(queue)), command, queue


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
    guard.enforce(command, 0.0)
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
            guard.enforce(command, float(tick))
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
        guard.enforce(command, tick * 1e-3)
    np.testing.assert_array_equal(command.effort, (6.0, 1e9, -7.0))
    texts = [notice.text for notice in queue.drain()]
    expected = "max_effort_command of joint_0: command 6, limit 5; joint_2: command -7, limit -5"
    assert texts == [expected] * 2


def test_joints_that_pass_a_limit_together_share_a_notice():
    guard, command, queue = make(unlimited(3)._replace(enforce_effort=np.ones(3, dtype=bool)))
    command.effort[:] = (60.0, 0.0, -70.0)
    guard.enforce(command, 0.0)
    for tick in range(1, 2000):
        command.effort[:] = (60.0, 51.0 if tick >= 500 else 0.0, -70.0)
        guard.enforce(command, tick * 1e-3)
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
            guard.enforce(command, tick * 1e-3)
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
        guard.enforce(command, 5.0)
        np.testing.assert_array_equal(command.effort, 40.0)
        command.effort[:] = -40.0
        guard.enforce(command, 6.0)
        np.testing.assert_array_equal(command.effort, -40.0)
        assert queue.drain() == []

    def test_a_clock_that_begins_anew_does_not_matter(self):
        guard, command, _ = self.make(100.0, 100.0, 100.0)
        guard.enforce(command, 5.0)
        command.effort[:] = 40.0
        guard.enforce(command, 0.0)
        np.testing.assert_array_equal(command.effort, 40.0)


def fade(reserve, slack, response):
    near = np.divide(reserve, response * (1.0 - np.maximum(reserve, 0.0) / slack))
    return np.where(reserve >= slack, np.inf, near)


def bounds(position, velocity, limits, margins, horizon, response):
    """Accelerations allowed upwards and downwards, as the docstring of the kernel has them."""
    lower, upper, speed = limits
    result = []
    for left, v in ((upper - position, velocity), (position - lower, -velocity)):
        by_range = fade(np.maximum(left, 0.0) / horizon - v, margins[0] / horizon, response)
        result.append(np.minimum(by_range, fade(speed - v, margins[1], response)))
    return result


@pytest.mark.filterwarnings("ignore:.*encountered in divide")
class TestKernel:
    N = 6
    HORIZON, RESPONSE = 0.16, 0.02
    MARGINS = np.vstack([np.full(N, 0.03), np.full(N, 0.2)])

    def draw(self, rng, *, near):
        """Draw a chain seen through constraints (Φ has no full rank), at or far from its limits."""
        n = self.N
        root = rng.normal(size=(n, n - 2))
        position, velocity = rng.normal(size=(2, n)), rng.normal(size=(2, n))[0]
        if near:
            reach = position[0] + rng.normal(size=n) * 0.05
            limits = np.vstack([reach - 0.05 - rng.random(n), reach, 1.5 * rng.random(n)])
        else:
            way = np.abs(velocity) * self.HORIZON + 0.031
            limits = np.vstack([position[0] - way, position[0] + way, np.abs(velocity) + 0.21])
        limits[:, rng.integers(n)] = (-np.inf, np.inf, np.inf)
        effort, bias = 100.0 * rng.normal(size=(2, n))
        return effort, bias, root @ root.T, position[0], velocity, limits

    def keep(self, effort, *rest, tolerance=0.0):
        kinds, scratch = np.zeros(self.N, dtype=np.int8), np.zeros((5, self.N))
        times = (self.HORIZON, self.RESPONSE, tolerance)
        return keep_inside(effort, *rest, self.MARGINS, *times, scratch, kinds), kinds

    def test_far_from_the_limits_no_effort_is_touched_however_large(self, rng):
        for _ in range(200):
            effort, *rest = self.draw(rng, near=False)
            effort *= 1e6
            before = effort.copy()
            acted, kinds = self.keep(effort, *rest)
            np.testing.assert_array_equal(effort, before)
            assert not acted
            assert not kinds.any()

    def test_a_joint_that_passes_its_bound_is_brought_to_it(self, rng):
        touched = 0
        for _ in range(300):
            effort, bias, Phi, position, velocity, limits = self.draw(rng, near=True)
            only = rng.integers(self.N)
            others = np.arange(self.N) != only
            limits[:, others] = np.array([[-np.inf], [np.inf], [np.inf]])
            above, below = bounds(
                position, velocity, limits, self.MARGINS, self.HORIZON, self.RESPONSE
            )
            before, wanted = effort.copy(), Phi @ (effort - bias)
            acted, kinds = self.keep(effort, bias, Phi, position, velocity, limits)
            np.testing.assert_array_equal(effort[others], before[others])
            if -below[only] > above[only]:
                continue  # too fast for a range so small: brakes, whichever way
            reached = (Phi @ (effort - bias))[only]
            expected = np.clip(wanted[only], -below[only], above[only])
            np.testing.assert_allclose(reached, expected, rtol=1e-9, atol=1e-6)
            assert acted == (kinds != 0).any() == (abs(expected - wanted[only]) > 1e-9)
            touched += acted
        assert touched > 30

    def test_joints_that_pull_at_each_other_all_keep_their_bounds(self, rng):
        """The efforts taken solve the linear complementarity problem of all joints together."""
        held_together = 0
        for _ in range(300):
            effort, bias, _, position, velocity, limits = self.draw(rng, near=True)
            root = np.eye(self.N) + 0.2 * rng.normal(size=(self.N, self.N))
            Phi = root @ root.T
            above, below = bounds(
                position, velocity, limits, self.MARGINS, self.HORIZON, self.RESPONSE
            )
            if (-below > above).any():
                continue  # too fast for a range so small: nothing keeps both
            before = effort.copy()
            _, kinds = self.keep(effort, bias, Phi, position, velocity, limits)
            taken, reached = before - effort, Phi @ (effort - bias)
            assert (reached <= above + 0.05).all()
            assert (-reached <= below + 0.05).all()
            np.testing.assert_allclose(reached[taken > 1e-6], above[taken > 1e-6], atol=0.05)
            np.testing.assert_allclose(-reached[taken < -1e-6], below[taken < -1e-6], atol=0.05)
            held_together += np.count_nonzero(kinds) > 1
        assert held_together > 30

    def test_bounds_that_exclude_each_other_leave_efforts_finite(self, rng):
        for _ in range(300):
            effort, bias, Phi, position, velocity, limits = self.draw(rng, near=True)
            self.keep(effort, bias, Phi, position, velocity, limits)
            assert np.isfinite(effort).all()

    def test_the_bound_begins_without_a_step(self):
        """Across the edge of the margins the allowed acceleration falls from infinity steadily."""
        way = np.linspace(0.0, 0.04, 4001)
        above, _ = bounds(
            -way, 0.0 * way, np.array([[-9.0], [0.0], [9.0]]), self.MARGINS[:, :1], 0.16, 0.02
        )
        near = way < 0.03
        assert np.isinf(above[~near]).all()
        assert (np.diff(above[near]) > 0.0).all()
        assert above[near].max() > 1e3

    def test_an_effort_that_cannot_move_its_joint_is_left_alone(self):
        n = self.N
        Phi = np.zeros((n, n))
        effort = np.full(n, 1e3)
        limits = np.array([[-1.0] * n, [0.0] * n, [1.0] * n])
        acted, _ = self.keep(effort, np.zeros(n), Phi, np.zeros(n), np.zeros(n), limits)
        assert not acted
        np.testing.assert_array_equal(effort, 1e3)


class TestKeepInside:
    def play(self, *, push, position, velocity=0.0, flags=(True, True), cycles=2000, gravity=7.0):
        """Push a joint of 2 kg m² under constant gravity; return its path and the guard's queue."""
        enforce = {
            "enforce_position": np.full(1, flags[0]),
            "enforce_velocity": np.full(1, flags[1]),
        }
        queue = LocalQueue(lambda _: None)
        robot = describe(1)
        guard = CommandGuard(robot, unlimited(1)._replace(**enforce), NoticeBoard(queue))
        command, state = Command(robot.command_joints), RobotState(robot.real_joints)
        model = SimpleNamespace(bias_effort=np.full(1, gravity), Phi=np.array([[0.5]]))
        path = []
        for tick in range(cycles):
            state.position[:], state.velocity[:] = position, velocity
            command.effort[:] = push
            guard.keep_inside(command, state, model, tick * 1e-3)
            velocity += (command.effort[0] - gravity) / 2.0 * 1e-3
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
