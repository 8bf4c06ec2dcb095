"""Packages that `controlit new` writes install, run and pass their own tests, as they are."""

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from installing import install
from patience import GENEROUS

from controlit_ros.errors import ControlItError
from controlit_ros.starters.own_package import OwnPackage, class_of, write_package


@pytest.mark.thorough
@pytest.mark.processes
@pytest.mark.commands
@pytest.mark.parametrize("kind", OwnPackage)
def test_it_installs_and_its_test_passes(kind, tmp_path):
    pytest.importorskip("setuptools", "70.1", reason="pip builds with setuptools")
    folder = write_package(kind, "my_own_4", tmp_path / "workspace")
    environment = install(folder, tmp_path / "installed")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(folder / "test"), "-p", "no:cacheprovider"],
        cwd=tmp_path, env=environment,
        capture_output=True, text=True, timeout=GENEROUS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("1 passed")
    index = tmp_path / "installed" / "share" / "ament_index" / "resource_index" / "packages"
    assert (index / "my_own_4").is_file()  # ROS 2 finds it


@pytest.mark.parametrize("kind", OwnPackage)
def test_nothing_of_the_templates_is_left(kind, tmp_path):
    folder = write_package(kind, "spring", tmp_path)
    paths = [path for path in folder.rglob("*") if path.is_file()]
    assert len(paths) >= 8
    for path in paths:
        assert not path.name.endswith(".in")
        text = path.read_text(encoding="utf-8")
        assert "$" not in text
        if path.suffix == ".py":
            compile(text, str(path), "exec")
        assert max(map(len, text.splitlines()), default=0) <= 120
    assert ET.parse(folder / "package.xml").findtext("name") == "spring"
    assert "Spring" in (folder / "README.md").read_text() or kind is OwnPackage.CLIENT


@pytest.mark.parametrize(
    ("name", "hint"),
    [("MyTask", "my_task"), ("my-task", "my_task"), ("4x", "x"), ("../up", "up"), ("a__b", "a_b")],
)
def test_another_name_is_refused_with_the_nearest(name, hint, tmp_path):
    with pytest.raises(ControlItError, match=f"found '{name}', expected .*, such as '{hint}'"):
        write_package(OwnPackage.TASK, name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["class", "", "..", "é"])
def test_a_name_without_a_nearest_is_refused(name, tmp_path):
    with pytest.raises(ControlItError, match=r"joined by '_'$"):
        write_package(OwnPackage.TASK, name, tmp_path)


def test_what_exists_is_left_alone(tmp_path):
    folder = write_package(OwnPackage.TASK, "mine", tmp_path)
    (folder / "README.md").write_text("my words")
    with pytest.raises(ControlItError, match="mine exists; choose another name or folder"):
        write_package(OwnPackage.CLIENT, "mine", tmp_path)
    assert (folder / "README.md").read_text() == "my words"


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ControlItError, match="Not a directory"):
        write_package(OwnPackage.TASK, "mine", tmp_path / "file")


def test_classes_are_named_after_their_packages():
    assert class_of("elbow_height_2") == "ElbowHeight2"
