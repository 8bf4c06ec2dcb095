"""What leads to a goal that jumps: within its limits, without a jump, and it gets there."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, chain, configured, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.paths.jerk_limited import REQUIREMENT
from controlit_ros.tasks import DISABLE, ENABLE, SENSE, CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition

pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")

PERIOD = 0.001
DESCRIPTION = chain(3, ("revolute", "prismatic", "revolute")).description()
KINDS = {
    "position": lambda **more: configured(
        CartesianPosition("task", DESCRIPTION), body="link_3", **more
    ),
    "center of mass": lambda **more: configured(CenterOfMass("task", DESCRIPTION), **more),
    "posture": lambda **more: configured(JointPosition("task", DESCRIPTION), **more),
}


LEFT = """
from robots_for_tests import chain, configured
from controlit_ros.tasks.joint_position import JointPosition
description = chain(1, ("revolute",)).description()
task = configured(JointPosition("task", description), reference="time_optimal")
"""


@pytest.fixture(params=KINDS)
def make(request):
    return lambda **more: KINDS[request.param](reference="time_optimal", kp=9.0, kd=6.0, **more)


def model_at(rng, speed=0.0):
    return updated(DESCRIPTION, random_state(DESCRIPTION, rng, speed=speed))


def join(task, model):
    """Let a task take part, as the servo does: a goal nobody stated is where it is."""
    compound = CompoundTask([task])
    compound.on_join = lambda one: None if one.goal.stated else one.latch_goal()
    task.update(model, task.inactive)
    task.swap()
    return compound


def play(compound, cycles, period=PERIOD):
    """Return the intermediate goals, velocities and accelerations of some cycles."""
    task = compound.tasks[0]
    found = []
    for _ in range(cycles):
        compound.compute(period)
        found.append([p.value.copy() for p in task.followed[:3]])
    return np.array(found)


def powers(lowest, highest):
    return st.floats(lowest, highest).map(lambda power: 10.0**power)


LIMITS = powers(-3.0, 3.0)  # [SI]


@given(
    seed=SEEDS,
    kind=st.sampled_from(sorted(KINDS)),
    distance=powers(-3.0, 2.0),
    limits=st.tuples(LIMITS, LIMITS, LIMITS),
)
def test_it_stays_within_its_limits_wherever_the_goal_jumps_in_mid_motion(
    seed, kind, distance, limits
):
    rng = np.random.default_rng(seed)
    names = ("max_goal_velocity", "max_goal_acceleration", "max_goal_jerk")
    task = KINDS[kind](reference="time_optimal", **dict(zip(names, limits, strict=True)))
    compound = join(task, model_at(rng))
    parts = [play(compound, 2)]
    for _ in range(4):
        task.goal.set(task.actual.value + distance * rng.uniform(-1.0, 1.0, 3))
        parts.append(play(compound, int(rng.integers(1, 300))))
    position, velocity, acceleration = np.concatenate(parts).transpose(1, 0, 2)
    speed, most, jerk = limits
    assert np.abs(velocity).max() <= speed * (1.0 + 1e-6)
    assert np.abs(acceleration).max() <= most * (1.0 + 1e-6)
    assert np.abs(np.diff(acceleration, axis=0)).max() <= jerk * PERIOD * (1.0 + 1e-6) + 1e-12
    # each is the integral of the next
    np.testing.assert_allclose(np.diff(velocity, axis=0), 0.0, atol=most * PERIOD * 1.001)
    middle = (velocity[1:] + velocity[:-1]) / 2.0
    np.testing.assert_allclose(
        np.diff(position, axis=0), middle * PERIOD, atol=jerk * PERIOD**3 + 1e-12
    )


def test_it_gets_there_and_rests(make, rng):
    task = make()
    compound = join(task, model_at(rng))
    goal = task.active.actual + np.array([0.1, -0.2, 0.05])
    task.goal.set(goal)
    position, velocity, acceleration = play(compound, 3000)[-1]
    np.testing.assert_allclose(position, goal, atol=1e-9)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-9)
    np.testing.assert_allclose(acceleration, 0.0, atol=1e-9)


def test_in_space_it_goes_straight(rng):
    task = KINDS["position"](reference="time_optimal")
    compound = join(task, model_at(rng))
    way = np.array([0.1, -0.2, 0.05])
    task.goal.set(task.active.actual + way)
    gone = play(compound, 3000)[:, 0] - task.active.actual
    np.testing.assert_allclose(np.cross(gone, way), 0.0, atol=1e-9)


def test_errors_are_those_of_the_goal_and_the_law_follows_what_leads_there(make, rng):
    task = make(axes=())
    compound = join(task, model_at(rng, speed=0.0))
    goal = task.active.actual + np.array([0.3, 0.0, 0.0])
    task.goal.set(goal)
    play(compound, 50)
    np.testing.assert_allclose(task.error.value, goal - task.actual.value)
    assert task.error_norm.value == pytest.approx(np.linalg.norm(task.error.value))
    position, velocity, acceleration = (p.value for p in task.followed[:3])
    tracking = position - task.actual.value
    np.testing.assert_allclose(task.parameter("tracking_error").value, tracking, atol=1e-15)
    assert 0.0 < np.linalg.norm(tracking) < 0.1
    np.testing.assert_allclose(
        task.command.value,
        9.0 * tracking + 6.0 * (velocity - task.active.velocity) + acceleration,
        atol=1e-12,
    )


def test_the_kernel_does_what_one_task_does(make, rng):
    model = model_at(rng, speed=1.0)
    together, alone = make(), make()
    compound = join(together, model)
    alone.update(model, alone.inactive)
    alone.swap()
    for task in (together, alone):
        task.goal.set(task.active.actual + 0.2)
    for _ in range(100):
        compound.compute(PERIOD)
        alone.compute(PERIOD)
        for name in ("error", "error_norm", "command", "actual_position", "tracking_error"):
            found, expected = (task.parameter(name).value for task in (together, alone))
            np.testing.assert_allclose(found, expected, atol=1e-12)


def test_it_begins_where_the_task_is_and_as_fast_whenever_it_joins(make, rng):
    here, there = model_at(rng, speed=0.2), model_at(rng, speed=0.2)
    task = make()
    compound = join(task, here)
    task.goal.set(task.active.actual + 1.0)
    play(compound, 100)
    task.operational_state.set(DISABLE)
    compound.compute(PERIOD)
    task.operational_state.set(ENABLE)
    task.update(there, task.inactive)
    task.swap()
    position, velocity, _ = play(compound, 1)[0]
    np.testing.assert_allclose(position, task.active.actual)
    np.testing.assert_allclose(velocity, task.active.velocity)


@pytest.mark.parametrize("begin_anew", ["restart", "latch_goal"])
def test_it_begins_anew_with_control(make, rng, begin_anew):
    task = make()
    compound = join(task, model_at(rng))
    task.goal.set(task.active.actual + 1.0)
    play(compound, 300)
    getattr(task, begin_anew)()
    np.testing.assert_allclose(play(compound, 1)[0, 0], task.active.actual)


def test_a_task_that_only_senses_does_not_go_ahead(make, rng):
    task = make()
    compound = join(task, model_at(rng))
    task.operational_state.set(SENSE)
    task.goal.set(task.active.actual + 1.0)
    play(compound, 1000)
    np.testing.assert_array_equal(task.parameter("intermediate_goal").value, task.active.actual)
    assert task.error_norm.value == pytest.approx(np.sqrt(3.0))
    task.operational_state.set(ENABLE)
    position = play(compound, 2)[-1, 0]
    np.testing.assert_allclose(position, task.active.actual, atol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("period", [1e-4, 0.05, 0.1])
def test_it_takes_as_long_at_any_rate(make, rng, period):
    task = make()
    compound = join(task, model_at(rng))
    task.goal.set(task.active.actual + 1.0)
    position, velocity, _ = play(compound, round(2.0 / period), period)[-1]
    assert 0.0 < np.abs(task.goal.value - position).max() < 0.15
    assert np.abs(velocity).max() <= 0.5 * (1.0 + 1e-6)
    assert np.abs(play(compound, round(0.5 / period), period)[-1, 0] - task.goal.value).max() < 1e-9


@pytest.mark.parametrize(
    "selection", [{"axes": ["x"]}, {"projection": [1.0, 0.0, 0.0]}], ids=["axes", "projection"]
)
def test_what_the_task_does_not_act_on_does_not_matter(rng, selection):
    free, bound = (KINDS["position"](reference="time_optimal", **more) for more in ({}, selection))
    model = model_at(rng)
    ways = []
    for task, aside in ((free, 0.0), (bound, 1e5)):
        compound = join(task, model)
        task.goal.set(task.active.actual + np.array([0.2, aside, -aside]))
        ways.append(play(compound, 500)[:, 0])
        assert not task.complaint()
    np.testing.assert_allclose(ways[1], ways[0], atol=1e-9)


def test_goals_streamed_at_ten_hertz_are_smooth(make, rng):
    task = make()
    compound = join(task, model_at(rng))
    begin, parts = task.active.actual.copy(), []
    for k in range(20):
        task.goal.set(begin + 0.01 * k)
        parts.append(play(compound, 100))
    jumps = np.diff(np.concatenate(parts)[:, 2], axis=0)
    assert np.abs(jumps).max() <= 50.0 * PERIOD * (1.0 + 1e-6)


def test_limits_change_while_it_moves(make, rng):
    task = make()
    compound = join(task, model_at(rng))
    task.goal.set(task.active.actual + 1.0)
    play(compound, 500)
    task.parameter("max_goal_velocity").set(0.1)
    velocity = play(compound, 1000)[:, 1]
    assert np.abs(velocity[-1]).max() <= 0.1 * (1.0 + 1e-6)
    assert np.abs(np.diff(velocity, axis=0)).max() <= 5.0 * PERIOD * (1.0 + 1e-6)


@given(st.floats(0.01, 10.0), st.sampled_from([1.0, 2.0, 5.0, 10.0, 50.0]), SEEDS)
def test_round_numbers_are_no_trap(speed, ratio, seed):
    """Where a motion just reaches a limit, Ruckig by itself finds none."""
    names = ("max_goal_velocity", "max_goal_acceleration", "max_goal_jerk")
    limits = (speed, speed * ratio, speed * ratio**2)
    task = KINDS["posture"](reference="time_optimal", **dict(zip(names, limits, strict=True)))
    compound = join(task, model_at(np.random.default_rng(seed)))
    play(compound, 1)
    for parts in (1.0, 2.0, 3.0, 0.5):
        task.goal.set(task.active.actual + speed / ratio * parts)
        play(compound, 2)
        assert not task.complaint()


def test_without_any_plan_it_holds_where_it_begins(make, rng, monkeypatch):
    task = make()
    compound = join(task, model_at(rng, speed=0.5))
    monkeypatch.setattr(task.goal_reference._plan._parts, "generator", None)
    begin = task.active.actual.copy()
    task.goal.set(begin + 1.0)
    position, velocity, _ = play(compound, 10)[-1]
    np.testing.assert_array_equal(position, begin)
    assert not velocity.any()
    np.testing.assert_allclose(task.command.value, -6.0 * task.active.velocity)
    assert "no way is found" in task.complaint()
    monkeypatch.undo()
    position = play(compound, 5000)[-1, 0]
    np.testing.assert_allclose(position, begin + 1.0, atol=1e-9)


def test_a_goal_without_a_way_is_told_and_the_last_one_holds(make, rng, monkeypatch):
    task = make()
    compound = join(task, model_at(rng))
    goal = task.active.actual + 0.1
    task.goal.set(goal)
    play(compound, 10)
    monkeypatch.setattr(task.goal_reference._plan._parts, "generator", None)
    task.goal.set(goal + 1.0)
    position = play(compound, 3000)[-1, 0]
    np.testing.assert_allclose(position, goal, atol=1e-9)
    assert "no way is found" in task.complaint()
    monkeypatch.undo()
    position = play(compound, 5000)[-1, 0]
    np.testing.assert_allclose(position, goal + 1.0, atol=1e-9)
    assert not task.complaint()


@pytest.mark.processes
def test_nothing_is_left_when_python_ends():
    done = subprocess.run(
        [sys.executable, "-c", LEFT], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("name", ["goal_velocity", "goal_acceleration", "goal_timeout"])
def test_who_feeds_forward_beside_it_is_refused(make, name):
    with pytest.raises(ParameterError, match=rf"task.{name}: found beside task.reference"):
        make(**{name: 1.0 if name == "goal_timeout" else [1.0, 1.0, 1.0]})


def test_limits_that_limit_nothing_are_refused():
    with pytest.raises(ParameterError, match=r"max_goal_jerk: found 5, .*reference: time_optimal"):
        KINDS["position"](max_goal_jerk=5.0)


def test_without_it_nothing_is_there_to_see():
    task = KINDS["position"]()
    assert not any("intermediate" in name or "max_goal" in name for name in task.parameters)
    assert not task.is_led


def test_a_library_that_is_missing_is_named_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ruckig", None)
    with pytest.raises(
        ParameterError, match=r"reference: found 'time_optimal', which needs ruckig"
    ):
        KINDS["position"](reference="time_optimal")
    KINDS["position"]()


@pytest.mark.parametrize("reference", ["time_optimal", None])
def test_a_rehearsal_changes_no_error(rng, reference):
    task = KINDS["position"](kp=9.0, kd=6.0, **({"reference": reference} if reference else {}))
    compound = join(task, model_at(rng))
    compound.compute(PERIOD)
    task.goal.set(task.actual.value + 0.5)
    compound.compute(PERIOD)
    found = task.error_norm.value
    assert found > 0.5
    compound.rehearse()
    assert task.error_norm.value == found
    task.invalidate()
    compound.rehearse()
    assert np.isnan(task.error_norm.value)
