"""Robot descriptions are found by package, path or inline."""

import pytest

from controlit_ros.configuration import RobotDescriptionError, read_robot_description

URDF = '<?xml version="1.0"?>\n<robot name="r"/>'


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    (tmp_path / "share" / "arms" / "urdf").mkdir(parents=True)
    (tmp_path / "share" / "arms" / "urdf" / "r.urdf").write_text(URDF, encoding="utf-8")
    (tmp_path / "r.urdf").write_text(URDF, encoding="utf-8")
    (tmp_path / "r.urdf.xacro").write_text(URDF, encoding="utf-8")
    (tmp_path / "note.txt").write_text("no robot", encoding="utf-8")
    return tmp_path


def test_inline(folder):
    assert read_robot_description(URDF, folder) == (URDF, None)


def test_paths(folder):
    for reference in ("r.urdf", f"{folder}/r.urdf", f"file://{folder}/r.urdf"):
        assert read_robot_description(reference, folder) == (URDF, folder / "r.urdf")


def test_packages(folder, monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{folder}")
    found = read_robot_description("package://arms/urdf/r.urdf", folder)
    assert found.path == folder / "share" / "arms" / "urdf" / "r.urdf"


def test_our_own_package(folder):
    found = read_robot_description("package://controlit/urdf/dreamer.urdf", folder)
    assert "dreamer" in found.urdf


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("absent.urdf", "there is no such file"),
        ("note.txt", "no <robot> element"),
        (".", "it is a folder, expected a regular file"),
        ("r.urdf.xacro", r"is written in xacro, expected a URDF: xacro r\.urdf\.xacro > robot"),
        ("package://legs/r.urdf", "no package 'legs'"),
        ("package://", "no package ''"),
        ("http://host/r.urdf", "expected package://"),
        ("nul\0", "cannot be read"),
    ],
)
def test_mistakes(folder, reference, message, monkeypatch):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(folder))
    with pytest.raises(RobotDescriptionError, match=message):
        read_robot_description(reference, folder)
