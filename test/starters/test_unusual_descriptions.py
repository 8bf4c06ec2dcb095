"""Unusual but legal descriptions pass through every command as their plain spelling does."""

import re

import numpy as np
import pytest
from robots_for_tests import chain
from urdf_spellings import SPELLINGS

from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.describe import describe
from controlit_ros.nodes.offline import Latch, compute_cycle, start_of
from controlit_ros.scripting import SimulatedController
from controlit_ros.starters.first_configuration import first_configuration

PATIENCE = 60  # [-] of half a second each: only bounds a failing test
PLAIN = chain(4, ("revolute", "revolute", "revolute")).urdf


def write(folder, urdf):
    path = folder / "arm.urdf"
    path.write_text(urdf, encoding="utf-8")
    file = folder / "first.yaml"
    file.write_text(first_configuration(str(path), "first", folder), encoding="utf-8")
    return file


def results(file):
    """Return what the commands make of a first file, and the markers that are shown."""
    stack = load_stack(file)
    heard = []
    with SimulatedController(file) as controller:
        controller.transport.subscribe(
            "markers", "visualization_msgs/msg/MarkerArray", heard.append
        )
        begin = np.array(list(controller.position.values()))
        for _ in range(PATIENCE):  # a thread of its own begins to draw
            controller.advance(0.5)
            if heard:
                break
        assert controller.state.value == "active"
        assert np.array(list(controller.position.values())) == pytest.approx(begin, abs=2e-3)
        shown = sorted({(m.ns, m.id) for message in heard for m in message.markers})
    assert shown
    return {
        "file": file.read_text(encoding="utf-8"),
        "describe": describe(stack),
        "compute": compute_cycle(stack, start_of(stack), Latch.ALL)["effort"],
        "shown": shown,
    }


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return results(write(tmp_path_factory.mktemp("plain"), PLAIN))


@pytest.mark.parametrize(
    "spelling", [name for name in SPELLINGS if name not in ("plain", "useless attributes")]
)
def test_every_command_sees_the_robot_of_the_plain_spelling(plain, spelling, tmp_path):
    found = results(write(tmp_path, SPELLINGS[spelling](PLAIN)))
    assert found["compute"] == pytest.approx(plain["compute"], abs=1e-12)
    assert found["file"] == plain["file"]
    assert found["shown"] == plain["shown"]


NAMES = (
    "a.j",
    "a/j",
    "é ü",
    "j 1",
    "7",
    "-x",
    "a'b",
    "&amp;",
    "j=1",
    "a: b",
    "#x",
    "*",
    "[x]",
)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_names_of_joints_and_links_may_be_any(plain, name, tmp_path):
    urdf = re.sub('"(joint|link)_', rf'"{name}\1_', PLAIN)
    found = results(write(tmp_path, urdf))
    assert found["compute"] == pytest.approx(plain["compute"], abs=1e-12)


STRONG = re.sub('effort="[^"]*"', 'effort="1000"', PLAIN)


@pytest.mark.parametrize("kind", ["planar", "floating"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_joints_of_several_degrees_of_freedom_work_in_any_place(kind, place, tmp_path):
    urdf = STRONG.replace(
        f'<joint name="joint_{place}" type="revolute">',
        f'<joint name="joint_{place}" type="{kind}">',
    )
    found = results(write(tmp_path, urdf))
    assert f"joint_{place}_yaw" in found["describe"]["robot"]["real_joints"]


def test_a_link_with_the_name_of_the_simulators_world_is_refused(tmp_path):
    file = write(tmp_path, PLAIN.replace('"link_2"', '"world"'))
    with pytest.raises(ConfigurationError, match=r"link 'world' that hangs from 'link_0'"):
        load_stack(file)
