"""Goals along the stops of a route."""

import numpy as np
import pytest

from controlit_demos.programs.route_plan import RoutePlan, Stop
from controlit_demos.trikey.demo import HEADING, POSITION, ROUTE
from controlit_ros.nodes.building import load_stack
from controlit_ros.paths.trajectory import TrajectoryError
from controlit_ros.share import share_directory


@pytest.fixture(name="stack", scope="module")
def make_stack():
    return load_stack(share_directory() / "config" / "trikey" / "drive.yaml")


def test_passes_every_stop_in_time(stack):
    plan = RoutePlan(stack, ROUTE)
    now = 0.0
    for stop in ROUTE:
        now += stop.duration
        for name in (POSITION, HEADING):
            np.testing.assert_allclose(plan.goals(now, {})[name].value, stop.goals[name], atol=1e-9)
        now += stop.pause
    assert plan.duration == pytest.approx(now)
    assert plan.is_over(now)
    assert not plan.is_over(now - 0.01)


def test_rests_where_there_is_a_pause_and_nowhere_else(stack):
    plan = RoutePlan(stack, ROUTE)
    now = 0.0
    for stop in ROUTE[1:-1]:
        now += stop.duration
        speed = np.linalg.norm(plan.goals(now, {})[POSITION].velocity)
        assert (speed < 1e-9) == (stop.pause > 0.0)
        now += stop.pause


def test_velocities_are_derivatives(stack):
    plan = RoutePlan(stack, ROUTE)
    step = 1e-6
    for time in np.linspace(0.1, plan.duration - 0.1, 40):
        before, here, after = (plan.goals(time + s, {}) for s in (-step, 0.0, step))
        for name in (POSITION, HEADING):
            slope = (after[name].value - before[name].value) / (2 * step)
            np.testing.assert_allclose(here[name].velocity, slope, atol=1e-5)


def test_task_that_a_stop_leaves_out_stays(stack):
    still = {POSITION: (1.0, 2.0, 0.1), HEADING: (1.0, 0.0, 0.0)}
    plan = RoutePlan(stack, (Stop("", 0.0, still), Stop("turn", 1.0, {HEADING: (0.0, 1.0, 0.0)})))
    np.testing.assert_allclose(plan.goals(0.5, {})[POSITION].value, still[POSITION])
    assert plan.tasks == (POSITION, HEADING)


def test_times_must_increase(stack):
    with pytest.raises(TrajectoryError):
        RoutePlan(stack, (ROUTE[0], Stop("jump", 0.0, {POSITION: (1.0, 0.0, 0.1)})))
