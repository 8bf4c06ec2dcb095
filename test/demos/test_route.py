"""Goals along the stops of a route."""

import numpy as np
import pytest
from played import goals_of, lose_control, stage

from controlit_demos.programs.route import PAUSE, Route
from controlit_demos.programs.stop import Stop
from controlit_demos.trikey.demo import HEADING, POSITION, ROUTE
from controlit_ros.client import TrajectoryError
from controlit_ros.share import share_directory

pytestmark = pytest.mark.simulation

PERIOD = 0.01  # [s]
TRIKEY = share_directory() / "config" / "trikey" / "drive.yaml"
STOPS = tuple(
    stop._replace(duration=stop.duration / 4.0, pause=0.0 if number == 3 else stop.pause)
    for number, stop in enumerate(ROUTE[:5])
)


def at(times, values, time):
    """Return the goal that went out last at a time."""
    return values[max(np.searchsorted(times, time + PERIOD / 2.0) - 1, 0)]


@pytest.fixture(scope="module")
def played():
    """What a route of four stops, three of them with a pause, sent."""
    with stage(TRIKEY) as found:
        Route(STOPS).run(found.robot, found.course)
        found.elapsed = found.course.elapsed
        yield found


def test_passes_every_stop_in_time(played):
    now = 0.0
    for stop in STOPS:
        now += stop.duration
        for name in (POSITION, HEADING):
            goal = at(*goals_of(played, name), now)
            np.testing.assert_allclose(goal, stop.goals[name], atol=3.0 * PERIOD)
        now += stop.pause
    assert Route(STOPS).duration == pytest.approx(now)
    assert played.elapsed == pytest.approx(now, abs=3 * PERIOD)
    np.testing.assert_allclose(goals_of(played, POSITION)[1][-1], STOPS[-1].goals[POSITION])
    assert played.course.problems == []


def test_rests_where_there_is_a_pause_and_nowhere_else(played):
    times, values = goals_of(played, POSITION)
    now = 0.0
    for stop in STOPS[:-1]:
        now += stop.duration
        during = (times > now + PERIOD) & (times < now + 10 * PERIOD)
        is_still = np.ptp(values[during], axis=0).max() < 1e-12
        assert is_still == (stop.pause > 0.0)
        now += stop.pause


def test_its_phases_are_told(played):
    names = [name for _, name in played.course.phases]
    expected = [
        part for stop in STOPS for part in (stop.name, PAUSE) if part != PAUSE or stop.pause
    ]
    assert names == expected
    begins = [begin for begin, _ in played.course.phases]
    parts = [part for stop in STOPS for part in (stop.duration, stop.pause) if part]
    np.testing.assert_allclose(begins, [0.0, *np.cumsum(parts)[:-1]], atol=1e-6)


def test_all_begin_where_they_are_and_at_the_same_time(played):
    for name in (POSITION, HEADING):
        times, values = goals_of(played, name)
        assert times[0] == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_allclose(
            values[0], (0, 0, 0.1) if name == POSITION else (1, 0, 0), atol=0.01
        )


def test_task_that_a_stop_leaves_out_stays():
    stops = (
        Stop("turn", 0.2, {HEADING: (1.0, 0.1, 0.0)}),
        Stop("go", 0.2, {POSITION: (0.05, 0.0, 0.1)}),
    )
    with stage(TRIKEY) as found:
        start = found.robot.task(POSITION).goal
        Route(stops).run(found.robot, found.course)
        times, values = goals_of(found, POSITION)
        np.testing.assert_allclose(at(times, values, 0.2), start, atol=1e-4)
        np.testing.assert_allclose(values[-1], stops[1].goals[POSITION])
        heading = np.array(stops[0].goals[HEADING]) / np.linalg.norm(stops[0].goals[HEADING])
        np.testing.assert_allclose(goals_of(found, HEADING)[1][-1], heading, atol=1e-12)


def test_goes_on_to_the_next_stop_when_control_comes_back():
    """Control ends on the way to the second stop, and begins anew."""
    stops = tuple(
        Stop(name, 0.3, {POSITION: (x, 0.0, 0.1)}, 0.1)
        for name, x in (("one", 0.02), ("two", 0.05), ("three", 0.03))
    )
    with stage(TRIKEY) as found:

        def interrupt():
            if found.course.phase == "two" and found.course.elapsed > 0.5:
                found.beat.look = lambda: None
                lose_control(found)

        found.beat.look = interrupt
        Route(stops).run(found.robot, found.course)
        names = [name for _, name in found.course.phases if name != PAUSE]
        assert names == ["one", "two", "two", "three"]
        (problem,) = found.course.problems  # it is no success
        assert problem.startswith("two: control has ended meanwhile")
        np.testing.assert_allclose(found.robot.task(POSITION).goal, stops[-1].goals[POSITION])


def test_times_must_increase():
    with stage(TRIKEY) as found, pytest.raises(TrajectoryError):
        Route((Stop("jump", 0.0, {POSITION: (1.0, 0.0, 0.1)}),)).run(found.robot, found.course)
