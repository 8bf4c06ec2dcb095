"""RViz's layouts can be read, and show topics that a running controller of their robot has."""

import copy
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.transport.local import LocalTransport

CONFIG = Path(__file__).parents[2] / "config"
LAYOUTS = sorted((CONFIG / "rviz").glob("*.rviz"))
DISPLAY = "rviz_default_plugins"


def read(path):
    return YAML(typ="safe").load(path)["Visualization Manager"]


def displays(path):
    """Return the displays of a layout by class."""
    return {shown["Class"].removeprefix(f"{DISPLAY}/"): shown for shown in read(path)["Displays"]}


def configuration(layout):
    """Return a configuration of the robot that a layout shows, one that moves it."""
    return min({*(CONFIG / layout.stem).glob("*.yaml")} - {CONFIG / "dreamer" / "benchmark.yaml"})


def test_every_robot_has_a_layout():
    robots = {path.parent.name for path in CONFIG.glob("*/*.yaml")}
    assert {layout.stem for layout in LAYOUTS} == robots


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_the_world_is_what_stands_still(layout):
    assert read(layout)["Global Options"]["Fixed Frame"] == "world"


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_layouts_differ_in_name_and_view_only(layout):
    def rest(path):
        content = copy.deepcopy(read(path))
        del content["Views"]
        model = next(d for d in content["Displays"] if d["Class"] == f"{DISPLAY}/RobotModel")
        del model["Name"]
        return content

    assert rest(layout) == rest(LAYOUTS[0])


@pytest.mark.thorough
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_what_is_shown_exists(layout, request):
    stack = load_stack(configuration(layout), IN_SIMULATED_TIME)
    name = stack.configuration.name
    shown = displays(layout)
    assert {"RobotModel", "MarkerArray", "InteractiveMarkers", "TF", "Grid"} <= set(shown)
    handles = shown["InteractiveMarkers"]["Interactive Markers Namespace"]
    expected = {
        shown["RobotModel"]["Description Topic"]["Value"]: "std_msgs/msg/String",
        shown["MarkerArray"]["Topic"]["Value"]: "visualization_msgs/msg/MarkerArray",
        f"{handles}/update": "visualization_msgs/msg/InteractiveMarkerUpdate",
        f"{handles}/feedback": "visualization_msgs/msg/InteractiveMarkerFeedback",
    }
    transport = LocalTransport("servo", f"/{name}", domain=request.node.nodeid)
    with ServoNode(stack, transport):
        graph = transport.graph()
        for topic, kind in expected.items():
            assert not topic.startswith("/")  # so that it follows the namespace of the launch
            found = graph.topic(f"/{name}/{topic}")
            assert found is not None, topic
            assert found.types == (kind,)
        service = graph.service(f"/{name}/{handles}/get_interactive_markers")
        assert service is not None
        tf = graph.topic("/tf_static" if stack.robot_interface.setup.fixed_base else "/tf")
        assert tf is not None
