"""Flexible repositioning: places, stability, and what counts as unstable."""

import dataclasses
import json

import numpy as np
import pytest

from controlit_demos.repositioning.demo import TASK, RepositioningDemo
from controlit_demos.repositioning.goals import CLEAR, random_places
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.series import Track
from controlit_ros.recording.task_track import TaskTrack, TrackKind
from controlit_ros.servo import PHASES

pytestmark = pytest.mark.simulation

SETTINGS = {"robot_interface.mode": "in_process", "servo_clock_type": "Simulated"}
TIMES = np.arange(0.0, 20.0, 0.05)


@pytest.fixture(scope="module")
def stack(config):
    return load_stack(config / "dreamer" / "repositioning.yaml", SETTINGS)


def test_places_are_within_and_out_of_reach(stack):
    model = stack.create_model().robot_model
    model.update(stack.robot_interface.simulation.latest())
    shoulder = model.placement(stack.robot.frame_id("right_shoulder_extensor")).translation
    wrist = model.placement(stack.robot.frame_id("right_wrist_yaw")).translation
    length = np.linalg.norm(wrist - shoulder)
    places = random_places(stack, 30, seed=1)
    assert [place.is_reachable for place in places[:6]] == [True, False, True] * 2
    for place in places:
        distance = np.linalg.norm(place.position - shoulder)
        assert (distance < length) == place.is_reachable
        assert not place.is_reachable or place.position[0] > CLEAR


def test_seeds_choose_the_places(stack):
    one, again, other = (random_places(stack, 4, seed) for seed in (1, 1, 2))
    for a, b, c in zip(one, again, other, strict=True):
        np.testing.assert_array_equal(a.position, b.position)
        assert np.abs(a.position - c.position).max() > 1e-3


def test_returns_precisely_after_a_place_out_of_reach(tmp_path):
    options = DemoOptions(simulated_time=True, duration=30.0, folder=tmp_path, seed=1)
    code = RepositioningDemo(options).run()
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["problems"] == []
    assert code == 0
    assert report["findings"]["places, of them out of reach"] == "3, 1"
    assert report["findings"]["worst error at a reachable place [cm]"] < 0.1
    assert report["errors"][TASK]["highest"] > 5.0  # it was really out of reach


@pytest.fixture
def demo(stack):
    demo = RepositioningDemo(DemoOptions())
    demo.program(stack, seed=0)
    return demo


@pytest.fixture
def record():
    n = len(TIMES)
    still = np.zeros((n, 3))
    nothing = Track(np.zeros(0), np.zeros((0, 1)))
    return RunRecord(
        name="repositioning",
        created="",
        tasks={TASK: TaskTrack(TIMES, still, still, TrackKind.POSITION)},
        phases=(),
        duration=20.0,
        complete=False,
        joint_names=("a",),
        position=Track(TIMES, np.zeros((n, 1))),
        velocity=Track(TIMES, np.zeros((n, 1))),
        effort=Track(TIMES, np.zeros((n, 1))),
        velocity_limits=np.ones(1),
        effort_limits=np.ones(1),
        frequency=nothing,
        latency=Track(np.zeros(0), np.zeros((0, len(PHASES)))),
        model_latency=nothing,
        events=(),
        notices=(),
        goals=(0, 0.0),
        summary=None,
    )


def spoiled(track, begin, end, value):
    values = track.values.copy()
    values[(track.times > begin) & (track.times <= end)] = value
    return Track(track.times, values)


def test_a_quiet_run_is_stable(demo, record):
    assert demo.judge(record).problems == ()


def test_sees_instability(demo, record):
    def problems(**changes):
        return demo.judge(dataclasses.replace(record, **changes)).problems

    velocity, effort = record.velocity, record.effort
    assert problems(velocity=spoiled(velocity, 9.6, 10.0, 0.1)) == ("a joint did not come to rest",)
    assert problems(velocity=spoiled(velocity, 19.6, 20.0, -0.2)) == (
        "the arm did not calm down out of reach",
    )
    assert problems(velocity=spoiled(velocity, 2.0, 3.0, 0.9)) == ()
    assert problems(velocity=spoiled(velocity, 2.0, 3.0, 1.05)) == (
        "a joint was faster than its limit",
    )
    assert problems(effort=spoiled(effort, 2.0, 3.0, 1.1)) == (
        "a joint was asked for more effort than it has",
    )
    far = np.full((len(TIMES), 3), 0.01)
    track = TaskTrack(TIMES, np.zeros((len(TIMES), 3)), far, TrackKind.POSITION)
    assert problems(tasks={TASK: track}) == ("a reachable place was not reached",)
    assert problems(notices=((1.0, "error", "no state"),)) == ("the servo left control: no state",)
