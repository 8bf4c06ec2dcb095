"""Where tube and valve are: chosen by the seed, told to the controller with errors alone."""

import numpy as np
import pytest

from controlit_demos.disassembly.demo import DisassemblyDemo
from controlit_demos.disassembly.level_pose import LevelPose
from controlit_demos.disassembly.placement import (
    HEADING_ERROR,
    NOMINAL,
    PLUG_OUT,
    POSITION_ERROR,
    SHIFT,
    SLIDE,
    TURN,
    perceived,
    random_placement,
)
from controlit_demos.disassembly.scene import write_scene
from controlit_demos.disassembly.scene_view import scene_view
from controlit_demos.disassembly.states import RIGHT, TUBE_GRIP
from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME

pytestmark = pytest.mark.simulation

SEEDS = range(200)


def test_a_level_pose_turns_about_the_vertical():
    pose = LevelPose((1.0, 2.0, 3.0), 90.0)
    np.testing.assert_allclose(pose.at(x=0.1, y=0.2, z=0.3), (0.8, 2.1, 3.3))
    np.testing.assert_allclose(pose.orientation, (0.0, 0.0, 0.5**0.5, 0.5**0.5))
    assert pose.moved(0.0, 0.0, 0.0, 10.0).heading == 100.0


def test_a_seed_always_puts_things_at_the_same_place():
    assert random_placement(5) == random_placement(5)
    assert perceived(NOMINAL, 5) == perceived(NOMINAL, 5)


def test_things_are_off_and_turned_within_their_range():
    placements = [random_placement(seed) for seed in SEEDS]
    for name in ("stand", "store"):
        poses = [getattr(placement, name) for placement in placements]
        off = np.array([p.position for p in poses]) - getattr(NOMINAL, name).position
        headings = np.array([pose.heading for pose in poses])
        assert 0.9 * SHIFT < np.abs(off[:, :2]).max() <= SHIFT
        assert np.ptp(off[:, 2]) == 0.0
        assert 0.9 * TURN < np.abs(headings).max() <= TURN
    for stand, tube, valve, _ in placements:
        assert np.linalg.norm(np.subtract(tube.position, stand.position)) <= SLIDE
        apart = np.linalg.norm(np.subtract(valve.position, tube.position))
        assert 0.1105 <= apart <= 0.1105 + PLUG_OUT
        assert stand.heading == tube.heading == valve.heading


def test_perception_errs_by_its_deviation_and_each_time_differently():
    seen = [perceived(NOMINAL, seed) for seed in SEEDS]
    for name in NOMINAL._fields:
        poses = [getattr(placement, name) for placement in seen]
        off = np.array([p.position for p in poses]) - getattr(NOMINAL, name).position
        np.testing.assert_allclose(off.std(axis=0), POSITION_ERROR, rtol=0.2)
        assert np.std([pose.heading for pose in poses]) == pytest.approx(HEADING_ERROR, rel=0.2)


def test_the_simulation_has_things_where_the_seed_puts_them(tmp_path):
    demo = DisassemblyDemo(DemoOptions())
    stack = load_stack(demo.configuration, demo.settings(7, tmp_path) | IN_SIMULATED_TIME)
    poses = scene_view(stack).read()
    placement = random_placement(7)
    for name in ("tube", "valve"):
        pose = getattr(placement, name)
        np.testing.assert_allclose(poses[name], [*pose.position, *pose.orientation], atol=1e-6)


def test_hands_go_where_things_seem_to_be(tmp_path):
    demo = DisassemblyDemo(DemoOptions())
    stack = load_stack(demo.configuration, demo.settings(7, tmp_path) | IN_SIMULATED_TIME)
    program = demo.program(stack, 7)
    (grasp, *_) = next(state.stages for state in program.states if state.name == "grab tube")
    truth = random_placement(7)
    seen = perceived(truth, 7)
    np.testing.assert_allclose(grasp.paths[RIGHT][-1], seen.tube.at(y=TUBE_GRIP))
    assert np.linalg.norm(np.subtract(grasp.paths[RIGHT][-1], truth.tube.at(y=TUBE_GRIP))) > 1e-4


def test_a_scene_without_a_valve_is_refused(tmp_path):
    scene = tmp_path / "empty.xml"
    scene.write_text("<mujoco><worldbody/></mujoco>")
    with pytest.raises(DemoError, match="no body 'stand'"):
        write_scene(scene, NOMINAL, tmp_path)
