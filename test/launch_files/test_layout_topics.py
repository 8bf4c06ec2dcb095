"""What layouts of other programs show is what a controller publishes."""

import json
from xml.etree import ElementTree as ET

import pytest
from lock_step import LockStep
from robots_for_tests import REPOSITORY

from controlit_ros.interfaces import new

pytestmark = pytest.mark.processes

CONFIG = REPOSITORY / "config"


PANELS = {"3D", "DiagnosticSummary", "Plot", "RawMessages"}
"""Types of panels, as Foxglove names them."""


def dreamer():
    return ET.parse(REPOSITORY / "urdf" / "dreamer.urdf").getroot()


@pytest.fixture(scope="module")
def published():
    """Topics of the controller that the layouts are for, and their types."""
    servo = LockStep(CONFIG / "dreamer" / "hands.yaml", __name__)
    yield {
        topic.name: topic.types[0]
        for topic in servo.network.graph().topics
        if topic.publisher_count
    }
    servo.stop()


def topics_of_foxglove(layout):
    """Return every path to a value that a layout plots, and every topic that it shows."""
    if isinstance(layout, dict):
        return [
            found for entry in (*layout, *layout.values()) for found in topics_of_foxglove(entry)
        ]
    if isinstance(layout, list):
        return [found for entry in layout for found in topics_of_foxglove(entry)]
    return [layout] if isinstance(layout, str) and layout.startswith("/") else []


def test_foxglove_shows_what_is_published(published):
    shown = topics_of_foxglove(json.loads((CONFIG / "foxglove" / "dreamer.json").read_text()))
    assert any(path.endswith("error_norm.data") for path in shown)
    for path in shown:
        topic, _, field = path.partition(".")
        assert topic in published
        name = field.partition("[")[0]
        assert not name or hasattr(new(published[topic]), name)


def test_plotjuggler_shows_what_is_published(published):
    root = ET.parse(CONFIG / "plotjuggler" / "dreamer.xml").getroot()
    joints = {joint.get("name") for joint in dreamer().iter("joint")}  # it tells numbers by name
    topics = topics_of_plotjuggler(root)
    curves = [curve.get("name") for curve in root.iter("curve")]
    assert curves
    assert set(topics) <= set(published)
    for curve in curves:
        topic = next(topic for topic in topics if curve.startswith(f"{topic}/"))
        field = curve.removeprefix(f"{topic}/").partition("/")[0]
        assert (
            field in joints
            if topic.endswith("joint_states")
            else field in dir(new(published[topic]))
        )


def topics_of_plotjuggler(root):
    """Return the topics that its streamer is told: it reads nothing but this attribute."""
    (streamer,) = root.find("Plugins").findall("plugin")
    return streamer.find("selected_topics").get("value").split(";")


def test_plotjuggler_starts_the_streamer_that_it_is_told_topics_of():
    root = ET.parse(CONFIG / "plotjuggler" / "dreamer.xml").getroot()
    streamer = root.find("previouslyLoaded_Streamer").get("name")
    assert streamer == root.find("Plugins").find("plugin").get("ID") == "ROS2 Topic Subscriber"


def test_foxglove_finds_every_panel_in_its_place():
    layout = json.loads((CONFIG / "foxglove" / "dreamer.json").read_text())
    placed = panels_of(layout["layout"])
    assert sorted(placed) == sorted(layout["configById"])
    assert {panel.partition("!")[0] for panel in placed} <= PANELS
    frames = {link.get("name") for link in dreamer().iter("link")}
    assert layout["configById"]["3D!robot"]["followTf"] in frames


def panels_of(node):
    """Return the panels of a layout as Foxglove reads it: a panel, or two of them side by side."""
    if isinstance(node, str):
        return [node]
    assert node["direction"] in ("row", "column")
    assert 0.0 < node.get("splitPercentage", 50) < 100.0
    return panels_of(node["first"]) + panels_of(node["second"])


def test_plotjuggler_finds_as_many_plots_as_it_is_told():
    """It reads as many sizes as `count` says, and as many plots, and takes it badly otherwise."""
    root = ET.parse(CONFIG / "plotjuggler" / "dreamer.xml").getroot()
    (windows,) = root.iter("tabbed_widget")
    tabs = windows.findall("Tab")
    assert windows.get("parent") == "main_window"
    assert int(windows.find("currentTabIndex").get("index")) < len(tabs)
    for tab in tabs:
        containers = tab.findall("Container")
        assert int(tab.get("containers")) == len(containers)
        assert all(container.find("DockSplitter") is not None for container in containers)
    for splitter in root.iter("DockSplitter"):
        sizes = [float(size) for size in splitter.get("sizes").split(";")]
        assert int(splitter.get("count")) == len(splitter) == len(sizes)
        assert splitter.get("orientation") in ("-", "|")
        assert sum(sizes) == pytest.approx(1.0, abs=1e-3)
    for area in root.iter("DockArea"):
        assert len(area.findall("plot")) == 1
