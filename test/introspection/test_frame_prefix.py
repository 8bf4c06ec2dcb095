"""Two robots in one system: what their frames are called, and who hears whom."""

import dataclasses
from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport import LATCHED
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

SCENE = Path(__file__).parent / "scene.yaml"
ROBOTS = ("left", "right")
IN_LOCK_STEP = {"servo_clock_type": "Simulated"}
STATIC = dataclasses.replace(LATCHED, depth=100)  # as tf2 listens: one message from each robot
GET = "visualization_msgs/srv/GetInteractiveMarkers"
UPDATE = "visualization_msgs/msg/InteractiveMarkerUpdate"
FEEDBACK = "visualization_msgs/msg/InteractiveMarkerFeedback"
HANDLE = "Hand + Heading"


@pytest.fixture
def robots(request, fast):
    """Two of one file, in simulated time, whose frames have a prefix each."""
    domain, made = request.node.nodeid, {}
    for name in ROBOTS:
        settings = {**fast, **IN_LOCK_STEP, "name": name, "frame_prefix": f"{name}/"}
        transport = LocalTransport("servo", f"/{name}", domain=domain)
        made[name] = ServoNode(load_stack(SCENE, settings), transport)
        made[name].lifecycle.start()
    yield made
    for node in made.values():
        node.stop()


@pytest.fixture
def see(robots, peer, poll):
    """Let both robots make cycles until something is seen, with their handles on display."""

    handles = []
    for name in ROBOTS:
        peer.subscribe(f"/{name}/interactive_markers/update", UPDATE, handles.append)

    def until(condition):
        def holds():
            for node in robots.values():
                node.lifecycle.advance(5)
            return condition()

        poll(holds)

    until(lambda: {update.server_id.split("/")[1] for update in handles} == set(ROBOTS))
    return until


@pytest.fixture
def peer(request, robots):
    with LocalTransport("peer", "/", domain=request.node.nodeid) as transport:
        yield transport


def goal(node):
    return node.stack.directory["Hand.goal_position"].value.tolist()


def drag(peer, robot, frame, x):
    turn = {"w": 1.0}
    peer.publisher(f"/{robot}/interactive_markers/feedback", FEEDBACK).publish(
        new(
            FEEDBACK,
            header={"frame_id": frame},
            marker_name=HANDLE,
            control_name="move_x",
            event_type=1,
            pose={"position": {"x": x, "y": 0.0, "z": 0.9}, "orientation": turn},
        )
    )


def test_each_frame_has_the_prefix_of_its_robot(robots, peer, see):
    transforms, markers = [], {name: [] for name in ROBOTS}
    peer.subscribe("/tf_static", "tf2_msgs/msg/TFMessage", transforms.append, STATIC)
    for name, seen in markers.items():
        peer.subscribe(
            f"/{name}/markers", "visualization_msgs/msg/MarkerArray",
            lambda array, seen=seen: seen.extend(array.markers),
        )  # fmt: skip
    see(lambda: len(transforms) == len(ROBOTS) and all(markers.values()))
    root = robots["left"].stack.robot.root_link
    assert {
        (entry.header.frame_id, entry.child_frame_id)
        for message in transforms
        for entry in message.transforms
    } == {(f"{name}/world", f"{name}/{root}") for name in ROBOTS}
    for name, seen in markers.items():
        assert {marker.header.frame_id for marker in seen} == {f"{name}/world"}
        service = f"/{name}/interactive_markers/get_interactive_markers"
        handles = peer.client(service, GET).call(new(f"{GET}_Request"), GENEROUS).markers
        assert {handle.header.frame_id for handle in handles} == {f"{name}/world"}


def test_a_goal_in_the_world_of_another_robot_is_refused(robots, peer, see):
    refused = {}

    def hear(name, text):
        if "frame_id" in text:  # a goal that jumps meets limits of acceleration, too
            refused[name] = text

    for name in ROBOTS:
        peer.subscribe(
            f"/{name}/diagnostics/warnings", "std_msgs/msg/String",
            lambda message, name=name: hear(name, message.data),
        )  # fmt: skip
    before = goal(robots["right"])
    drag(peer, "left", "left/world", 0.35)
    see(lambda: goal(robots["left"]) == [0.35, 0.0, 0.9])
    drag(peer, "right", "left/world", 0.4)
    drag(peer, "left", "world", 0.45)
    see(lambda: set(refused) == set(ROBOTS))
    assert "found frame_id 'left/world', expected 'right/world' or none" in refused["right"]
    assert "found frame_id 'world', expected 'left/world' or none" in refused["left"]
    assert goal(robots["right"]) == before
    drag(peer, "right", "right/world", 0.5)
    see(lambda: goal(robots["right"]) == [0.5, 0.0, 0.9])
    assert goal(robots["left"]) == [0.35, 0.0, 0.9]
