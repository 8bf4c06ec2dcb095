"""Markers over `local`: where tasks, contacts and forces are, by the robot's own kinematics."""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.introspection.robot_markers import support_polygon
from controlit_ros.model import RobotModel
from controlit_ros.transport import Qos

pytestmark = pytest.mark.processes

TYPE = "visualization_msgs/msg/MarkerArray"
PATIENT = Qos(depth=10_000)  # a deletion that is lost on a busy machine is not told again
SCENE = Path(__file__).parent / "scene.yaml"
GOAL, ACTUAL = 0, 1
ADD, DELETE = 0, 2
ARROW, SPHERE, LINE_LIST = 0, 2, 5


def xyz(point):
    return np.array([point.x, point.y, point.z])


class Viewer:
    """Does what RViz does with marker arrays."""

    def __init__(self, transport):
        self.arrays = []
        self.markers = {}
        self.subscription = transport.subscribe("markers", TYPE, self._take, PATIENT)

    def _take(self, array):
        self.arrays.append(array)
        for marker in array.markers:
            key = (marker.ns, marker.id)
            if marker.action == DELETE:
                del self.markers[key]  # nothing is deleted that is not there
            else:
                assert marker.action == ADD
                self.markers[key] = marker

    def __getitem__(self, key):
        return self.markers[key]


@pytest.fixture
def node(make_node, poll):
    node = make_node(SCENE)
    node.start()
    poll(lambda: node.state.value == "active")
    return node


@pytest.fixture
def viewer(node, peer, poll):
    viewer = Viewer(peer)
    poll(lambda: len(viewer.arrays) > 2)
    return viewer


@pytest.fixture
def frame_of(node):
    """Placement of a frame by a model of the test's own."""
    model = RobotModel(node.stack.robot)
    model.update(node.coordinator.robot_state)
    return lambda name: model.placement(node.stack.robot.frame_id(name))


def color_of(marker):
    return max("rgb", key=lambda channel: getattr(marker.color, channel))


def test_points(viewer, frame_of):
    goal, actual = viewer["Hand", GOAL], viewer["Hand", ACTUAL]
    assert (goal.type, actual.type) == (SPHERE, SPHERE)
    assert (color_of(goal), color_of(actual)) == ("g", "b")
    assert xyz(goal.pose.position) == pytest.approx([0.3, -0.2, 0.9])
    point = frame_of("right_wrist_yaw").act(np.array([0.0, 0.0, -0.1]))
    assert xyz(actual.pose.position) == pytest.approx(point)
    assert goal.header.frame_id == actual.header.frame_id == "world"


def test_arrows_of_directions_begin_at_the_body(viewer, frame_of):
    wrist = frame_of("right_wrist_yaw")
    goal, actual = viewer["Heading", GOAL], viewer["Heading", ACTUAL]
    assert (goal.type, actual.type) == (ARROW, ARROW)
    assert (color_of(goal), color_of(actual)) == ("g", "b")
    for arrow, direction in ((goal, [0.0, 1.0, 0.0]), (actual, wrist.rotation @ [0.0, 0.0, -1.0])):
        start, end = map(xyz, arrow.points)
        assert start == pytest.approx(wrist.translation)
        along = end - start
        assert along / np.linalg.norm(along) == pytest.approx(direction)


def test_frames_of_orientations(viewer, frame_of):
    wrist = frame_of("left_wrist_yaw")
    actual = viewer["Turn", ACTUAL]
    assert actual.type == LINE_LIST
    points = [xyz(point) for point in actual.points]
    assert len(points) == len(actual.colors) == 6
    for axis, (start, end) in enumerate(zip(points[::2], points[1::2], strict=True)):
        assert start == pytest.approx(wrist.translation)
        assert (end - start) / np.linalg.norm(end - start) == pytest.approx(wrist.rotation[:, axis])
    ends = {(color.g > color.b) for color in viewer["Turn", GOAL].colors[1::2]}
    assert ends == {True}  # the axes of the goal end in green


def test_goals_in_the_frame_of_a_body_are_drawn_in_the_world(viewer, frame_of):
    goal = frame_of("torso_upper_pitch").act(np.array([0.2, 0.3, 0.1]))
    assert xyz(viewer["Relative", GOAL].pose.position) == pytest.approx(goal)
    hand = frame_of("left_wrist_yaw").translation
    assert xyz(viewer["Relative", ACTUAL].pose.position) == pytest.approx(hand)


def test_goals_in_a_frame_that_rests(viewer, frame_of):
    goal = frame_of("torso_upper_pitch").act(np.array([0.3, -0.2, 0.2]))
    assert xyz(viewer["Latched", GOAL].pose.position) == pytest.approx(goal)
    hand = frame_of("right_wrist_yaw").translation
    assert xyz(viewer["Latched", ACTUAL].pose.position) == pytest.approx(hand)


def test_center_of_mass(node, viewer):
    model = RobotModel(node.stack.robot)
    model.update(node.coordinator.robot_state)
    center = pin.centerOfMass(node.stack.robot.pinocchio, model._data, model.q)
    assert xyz(viewer["Balance", ACTUAL].pose.position) == pytest.approx(center)
    assert xyz(viewer["Balance", GOAL].pose.position) == pytest.approx([0.01, 0.02, 0.5])
    assert xyz(viewer["robot/center_of_mass", 0].pose.position) == pytest.approx(center)
    below = xyz(viewer["robot/center_of_mass", 1].pose.position)
    assert below == pytest.approx([*center[:2], 0.0])
    plumb = [xyz(point) for point in viewer["robot/center_of_mass", 2].points]
    assert np.array(plumb) == pytest.approx(np.array([center, below]))


def test_contacts_and_support_polygon(viewer):
    assert ("robot/contacts", 0) in viewer.markers
    assert xyz(viewer["robot/contacts", 0].pose.position) == pytest.approx(np.zeros(3))
    corners = [xyz(point) for point in viewer["robot/support_polygon", 0].points]
    assert np.array_equal(corners[0], corners[-1])
    assert sorted(corner[:2].tolist() for corner in corners[:-1]) == [
        [x, y] for x in (-0.3, 0.3) for y in (-0.2, 0.2)
    ]


def test_the_base_bears_what_is_commanded(node, viewer, poll):
    """The upward force on the base is weight plus the acceleration that the efforts cause."""
    robot = node.stack.robot
    mass = sum(inertia.mass for inertia in robot.pinocchio.inertias)

    def bears():
        start, end = map(xyz, viewer["robot/contact_forces", 0].points)
        model = node.stack.create_model()
        model.update(node.coordinator.robot_state)
        effort = np.zeros(robot.nv)
        effort[robot.command_dofs] = node.coordinator.command.effort
        Jc = model.Jc
        size = robot.nv + len(Jc)
        system = np.zeros((size, size))
        system[: robot.nv, : robot.nv] = model.robot_model.A
        system[: robot.nv, robot.nv :] = -Jc.T
        system[robot.nv :, : robot.nv] = Jc
        right = np.concatenate([effort - model.robot_model.BG, -model.Jc_bias])
        force = np.linalg.solve(system, right)[robot.nv :][:3]
        return end - start == pytest.approx(force / (9.81 * mass), rel=1e-3, abs=1e-4)

    poll(bears)


def test_a_disabled_task_is_taken_away_and_comes_back(node, viewer, poll):
    """The viewer fails when something is deleted that it does not show."""
    heading = node.stack.directory["Heading.operational_state"]
    others = {key for key in viewer.markers if key[0] != "Heading"}
    node.mailbox.post({heading: "disable"})
    poll(lambda: not any(ns == "Heading" for ns, _ in list(viewer.markers)))
    assert set(viewer.markers) == others
    node.mailbox.post({heading: "sense"})
    poll(lambda: ("Heading", GOAL) in viewer.markers)


def test_a_disabled_contact_bears_nothing(node, viewer, poll):
    node.mailbox.post({node.stack.directory["Base.operational_state"]: "force_disable"})
    gone = ("robot/contacts", "robot/contact_forces", "robot/support_polygon")
    poll(lambda: not any(ns in gone for ns, _ in list(viewer.markers)))


def test_nothing_is_published_for_nobody(node, peer, viewer, poll):
    viewer.subscription.close()
    peer.settle()  # the array that was being taken is taken
    sampler = next(t for t in node.outbox._samplers if "_SceneRow" in repr(t._standing))
    poll(lambda: not sampler.is_wanted)

    def let_pass():
        cycles = node.coordinator.latency.cycles
        poll(lambda: node.coordinator.latency.cycles > cycles + 50)

    let_pass()  # what was on its way arrives
    count, sampled = len(viewer.arrays), sampler.hand_off.written[0]
    let_pass()
    assert len(viewer.arrays) == count
    assert sampler.hand_off.written[0] == sampled
    again = Viewer(peer)
    poll(lambda: again.arrays)


def test_the_rate_is_that_of_the_eye(viewer, poll):
    """The first few come at once: a sampler that was not wanted is behind its time."""
    poll(lambda: len(viewer.arrays) > 20)
    stamps = [
        array.markers[0].header.stamp.sec + 1e-9 * array.markers[0].header.stamp.nanosec
        for array in viewer.arrays[5:]
    ]
    assert (stamps[-1] - stamps[0]) / (len(stamps) - 1) > 0.8 / 25.0


@pytest.mark.parametrize("seed", range(5))
def test_support_polygon_holds_every_place(seed):
    places = np.random.default_rng(seed).normal(size=(8, 3))
    corners = np.array(support_polygon(places))
    assert np.array_equal(corners[0], corners[-1])
    assert (corners[:, 2] == places[:, 2].min()).all()
    sides = np.diff(corners[:, :2], axis=0)
    for place in places[:, :2]:
        arms = place - corners[:-1, :2]
        turns = sides[:, 0] * arms[:, 1] - sides[:, 1] * arms[:, 0]
        assert turns.min() > -1e-12  # on the left of every side


def test_two_places_make_a_line():
    first, second = np.array([0.0, 1.0, 0.1]), np.array([1.0, 0.0, 0.0])
    corners = support_polygon(np.array([first, second]))
    assert [corner.tolist() for corner in corners] == [
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ]
