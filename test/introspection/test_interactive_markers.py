"""Interactive markers over `local`, seen by a client that follows the protocol as RViz does."""

import threading
from pathlib import Path

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.introspection.goal_handle import goal_handles
from controlit_ros.model import quaternion as quaternions

pytestmark = pytest.mark.processes

SCENE = Path(__file__).parent / "scene.yaml"
PACKAGE = "visualization_msgs"
NAMESPACE = "interactive_markers"
RIGHT, LEFT = "Hand + Heading", "Relative + Turn"
HANDLES = {RIGHT, LEFT, "Balance", "Latched"}


class Client:
    """Subscribes, asks for everything, then follows the numbered updates."""

    def __init__(self, transport):
        self._transport = transport
        self._lock = threading.Lock()
        self._early = []
        self.number = None
        self.markers = {}
        self.poses = {}
        transport.subscribe(
            f"{NAMESPACE}/update", f"{PACKAGE}/msg/InteractiveMarkerUpdate", self._update
        )
        self._feedback = transport.publisher(
            f"{NAMESPACE}/feedback", f"{PACKAGE}/msg/InteractiveMarkerFeedback"
        )

    def initialise(self):
        kind = f"{PACKAGE}/srv/GetInteractiveMarkers"
        client = self._transport.client(f"{NAMESPACE}/get_interactive_markers", kind)
        answer = client.call(new(f"{kind}_Request"), GENEROUS)
        with self._lock:
            self._insert(answer.markers)
            self.number = answer.sequence_number
            for update in self._early:
                if update.seq_num > self.number:
                    self._apply(update)

    def _update(self, update):
        with self._lock:
            if self.number is None:
                self._early.append(update)
            else:
                self._apply(update)

    def _apply(self, update):
        assert update.type == 1
        assert update.server_id
        assert update.seq_num == self.number + 1, "out of step: RViz would begin anew"
        self.number = update.seq_num
        self._insert(update.markers)
        for entry in update.poses:
            assert entry.name in self.markers
            self.poses[entry.name] = entry.pose
        for name in update.erases:
            del self.markers[name], self.poses[name]

    def _insert(self, markers):
        for marker in markers:
            assert marker.header.frame_id == "world"
            self.markers[marker.name] = marker
            self.poses[marker.name] = marker.pose

    def drag(self, name, position, orientation=(0.0, 0.0, 0.0, 1.0), **fields):
        pose = {
            "position": dict(zip("xyz", map(float, position), strict=True)),
            "orientation": dict(zip("xyzw", map(float, orientation), strict=True)),
        }
        message = {"header": {"frame_id": "world"}, "event_type": 1, "client_id": "test", **fields}
        self._feedback.publish(
            new(f"{PACKAGE}/msg/InteractiveMarkerFeedback", marker_name=name, pose=pose, **message)
        )


@pytest.fixture
def node(make_node, poll):
    node = make_node(SCENE)
    node.start()
    poll(lambda: node.state.value == "active")
    return node


@pytest.fixture
def client(node, peer, poll):
    client = Client(peer)
    client.initialise()
    poll(lambda: set(client.poses) == HANDLES)
    return client


def position(pose):
    return [pose.position.x, pose.position.y, pose.position.z]


def orientation(pose):
    turn = pose.orientation
    return np.array([turn.x, turn.y, turn.z, turn.w])


def goal(node, name):
    return node.stack.directory[name].value


def test_one_handle_for_each_body(client):
    assert set(client.markers) == HANDLES
    modes = {
        name: sorted(control.interaction_mode for control in marker.controls)
        for name, marker in client.markers.items()
    }
    assert modes == {
        RIGHT: [3, 3, 3, 5, 5, 5, 7],
        LEFT: [3, 3, 3, 5, 5, 5, 7],
        "Balance": [3, 3, 3, 7],
        "Latched": [3, 3, 3, 7],
    }
    for marker in client.markers.values():
        names = [control.name for control in marker.controls]
        assert len(set(names)) == len(names)
        for control in marker.controls:
            assert np.linalg.norm(orientation(control)) == pytest.approx(1.0)
            axis = quaternions.rotate(orientation(control), np.array([1.0, 0.0, 0.0]))
            along = {"x": 0, "y": 1, "z": 2}.get(control.name[-1], 0)
            assert np.abs(axis) == pytest.approx(np.eye(3)[along], abs=1e-12)


def test_handles_are_where_the_goals_are(node, client):
    assert position(client.poses[RIGHT]) == pytest.approx([0.3, -0.2, 0.9])
    x_axis = quaternions.rotate(orientation(client.poses[RIGHT]), np.array([1.0, 0.0, 0.0]))
    assert x_axis == pytest.approx([0.0, 1.0, 0.0])
    turn = orientation(client.poses[LEFT])
    assert abs(turn @ goal(node, "Turn.goal_orientation")) == pytest.approx(1.0)


def test_dragging_moves_both_goals(node, client, poll):
    turn = np.array([0.0, 0.0, np.sin(0.3), np.cos(0.3)])
    client.drag(RIGHT, (0.35, -0.1, 0.8), turn)
    poll(lambda: goal(node, "Hand.goal_position").tolist() == [0.35, -0.1, 0.8])
    heading = [np.cos(0.6), np.sin(0.6), 0.0]
    poll(lambda: goal(node, "Heading.goal_vector") == pytest.approx(heading))
    poll(lambda: position(client.poses[RIGHT]) == pytest.approx([0.35, -0.1, 0.8]))
    poll(lambda: orientation(client.poses[RIGHT]) == pytest.approx(turn))
    client.drag(LEFT, (0.3, 0.3, 0.9), turn)
    poll(lambda: goal(node, "Turn.goal_orientation") == pytest.approx(turn))


def test_goals_in_the_frame_of_a_body(node, client, poll):
    """A handle stays where it was dragged to, so the goal is the same place in its frame."""
    before = goal(node, "Relative.goal_position").copy()
    moved = np.array(position(client.poses[LEFT])) + np.array([0.05, 0.0, 0.0])
    client.drag(LEFT, moved, control_name="move_x")
    poll(lambda: goal(node, "Relative.goal_position").tolist() != before.tolist())
    poll(lambda: position(client.poses[LEFT]) == pytest.approx(moved))
    step = goal(node, "Relative.goal_position") - before
    assert np.linalg.norm(step) == pytest.approx(0.05)


def test_a_control_moves_what_it_is_for(node, client, poll):
    turn = (0.0, 0.0, 1.0, 0.0)
    client.drag(RIGHT, (0.5, 0.0, 1.0), turn, control_name="move_x")
    poll(lambda: goal(node, "Hand.goal_position").tolist() == [0.5, 0.0, 1.0])
    assert goal(node, "Heading.goal_vector").tolist() == [0.0, 1.0, 0.0]
    client.drag(RIGHT, (0.0, 0.0, 0.0), turn, control_name="rotate_z")
    poll(lambda: goal(node, "Heading.goal_vector") == pytest.approx([-1.0, 0.0, 0.0]))
    assert goal(node, "Hand.goal_position").tolist() == [0.5, 0.0, 1.0]


def test_goals_from_elsewhere_move_the_handle(node, client, poll):
    node.mailbox.post({node.stack.directory["Hand.goal_position"]: [0.1, 0.2, 0.3]})
    poll(lambda: position(client.poses[RIGHT]) == [0.1, 0.2, 0.3])


def test_a_disabled_task_has_no_handle(node, client, poll):
    node.mailbox.post({node.stack.directory["Balance.operational_state"]: "disable"})
    poll(lambda: "Balance" not in client.markers)
    node.mailbox.post({node.stack.directory["Heading.operational_state"]: "disable"})
    poll(lambda: set(client.markers) == {"Hand", LEFT, "Latched"})
    assert {c.interaction_mode for c in client.markers["Hand"].controls} == {3, 7}
    client.drag(RIGHT, (1.0, 1.0, 1.0))  # on its way when the marker went
    client.drag("Hand", (0.2, 0.2, 0.9))
    poll(lambda: goal(node, "Hand.goal_position").tolist() == [0.2, 0.2, 0.9])


def test_who_drags_keeps_others_away(node, client, poll, monkeypatch):
    monkeypatch.setattr("controlit_ros.introspection.interactive_markers.HOLD", GENEROUS)
    client.drag(RIGHT, (0.4, 0.0, 0.9), client_id="first", control_name="move_x")
    client.drag(RIGHT, (9.0, 9.0, 9.0), client_id="second", control_name="move_x")
    client.drag(RIGHT, (0.4, 0.1, 0.9), client_id="first", control_name="move_x")
    poll(lambda: goal(node, "Hand.goal_position").tolist() == [0.4, 0.1, 0.9])


@pytest.mark.parametrize(
    ("place", "fields", "reason"),
    [
        ((np.nan, 0.0, 0.0), {}, "not finite"),
        ((0.0, 0.0, 0.0), {"orientation": (0.0, 0.0, 0.0, 0.0)}, "no direction"),
        ((0.0, 0.0, 0.0), {"header": {"frame_id": "camera"}}, "found frame_id 'camera'"),
    ],
)
def test_what_makes_no_sense_is_a_warning(node, client, peer, poll, place, fields, reason):
    before = goal(node, "Hand.goal_position").tolist(), goal(node, "Heading.goal_vector").tolist()
    warnings = []
    topic = "diagnostics/warnings"
    peer.subscribe(topic, "std_msgs/msg/String", lambda message: warnings.append(message.data))
    client.drag(RIGHT, place, **fields)
    poll(lambda: any(reason in text and RIGHT in text for text in warnings))
    after = goal(node, "Hand.goal_position").tolist(), goal(node, "Heading.goal_vector").tolist()
    assert after == before


def test_clicks_move_nothing(node, client, poll):
    for event in (0, 2, 3, 4, 5):
        client.drag(RIGHT, (9.0, 9.0, 9.0), event_type=event)
    client.drag(RIGHT, (0.3, 0.0, 0.9), control_name="move_x")
    poll(lambda: goal(node, "Hand.goal_position").tolist() == [0.3, 0.0, 0.9])


def test_no_tasks_no_handles():
    assert list(goal_handles(())) == []
