"""`controlit new robot` writes a controller and a layout for RViz, and replaces neither unasked."""

import pytest
from robots_for_tests import chain

from controlit_ros.cli import new_command
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(chain(1, ("revolute", "revolute", "revolute")).urdf, encoding="utf-8")
    return path


def test_a_controller_and_its_layout(controlit, urdf, tmp_path):
    target, layout = tmp_path / "mine.yaml", tmp_path / "mine.rviz"
    code, out, _ = controlit("new", "robot", urdf, "--output", target, "--name", "mine")
    assert code == 0
    assert load_stack(target).configuration.name == "mine"
    assert "Name: mine" in layout.read_text(encoding="utf-8")
    assert f"rviz2 -d {layout} --ros-args -r __ns:=/mine" in out


@pytest.mark.parametrize("kept", ["mine.yaml", "mine.rviz"])
def test_nothing_is_replaced_unasked(controlit, urdf, tmp_path, kept):
    (tmp_path / kept).write_text("mine")
    target = tmp_path / "mine.yaml"
    code, _, err = controlit("new", "robot", urdf, "--output", target)
    assert code == 1
    assert f"{kept} exists" in err
    assert (tmp_path / kept).read_text() == "mine"
    others = {"mine.yaml", "mine.rviz"} - {kept}
    assert not any((tmp_path / other).exists() for other in others)
    assert controlit("new", "robot", urdf, "--output", target, "--force")[0] == 0
    assert (tmp_path / kept).read_text() != "mine"


def test_the_two_have_names_of_their_own(controlit, urdf, tmp_path):
    code, _, err = controlit("new", "robot", urdf, "--output", tmp_path / "mine.rviz")
    assert code == 1
    assert "ends in .yaml" in err


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_failure_leaves_nothing_behind(controlit, urdf, tmp_path, monkeypatch, force):
    """Whatever fails after the file was written: here, building the controller of it."""
    target = tmp_path / "mine.yaml"
    if force:
        target.write_text("mine")

    def fail(_path):
        raise ControlItError("cannot be built")

    monkeypatch.setattr(new_command, "load_stack", fail)
    code, _, err = controlit("new", "robot", urdf, "--output", target, *force)
    assert code == 1
    assert "cannot be built" in err
    assert not (tmp_path / "mine.rviz").exists()
    assert target.read_text() == "mine" if force else not target.exists()


@pytest.mark.parametrize("name", ["", "no xml", "<robot name='r'><link name='a'/></robot>"])
def test_no_file_is_written_of_what_is_no_robot(controlit, tmp_path, name):
    path = tmp_path / "bad.urdf"
    path.write_text(name)
    assert controlit("new", "robot", path, "--output", tmp_path / "mine.yaml")[0] == 1
    assert [file.name for file in tmp_path.iterdir()] == ["bad.urdf"]
