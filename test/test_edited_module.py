"""Code that cannot be run again is refused with what it is, where it stands, what is expected."""

import sys
from types import ModuleType

import pytest

from controlit_ros.edited_module import EditedModule, NotReloadableError
from controlit_ros.tasks.joint_position import JointPosition


class Own:
    """A class of another package, as far as `EditedModule` knows."""


@pytest.fixture
def moved(monkeypatch):
    """Let `Own` be of a module with a file."""

    def move(name, file):
        module = ModuleType(name)
        if file is not None:
            module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(Own, "__module__", name)
        return Own

    return move


def refusal(used):
    with pytest.raises(NotReloadableError) as caught:
        EditedModule.of(used)
    return str(caught.value)


def test_of_controlit_itself():
    file = sys.modules[JointPosition.__module__].__file__
    told = refusal(JointPosition)
    assert told.startswith(f"found the class JointPosition in {file}, which is a part of controlit")
    assert told.endswith("expected a class of another package, such as `controlit new task` begins")


@pytest.mark.parametrize(
    ("name", "file", "found", "expected"),
    [
        ("__main__", "/a/script.py", "in /a/script.py, the script", "in a module of its own"),
        ("own", "/a/own.so", "in /a/own.so;", "one in a file of Python, NAME.py"),
        ("own", None, "in the module own, without a file;", "one in a file of Python, NAME.py"),
    ],
)
def test_without_a_file_that_can_be_run_again(moved, name, file, found, expected):
    told = refusal(moved(name, file))
    assert told.startswith(f"found the class Own {found}")
    assert told.endswith(expected)


def test_a_file_that_is_gone(moved, tmp_path):
    file = tmp_path / "own.py"
    assert refusal(moved("own", str(file))) == f"{file} cannot be read: No such file or directory"


def test_a_file_is_read_as_it_is_now(moved, tmp_path):
    file = tmp_path / "own.py"
    used = moved("own", str(file))
    for text in (b"one = 1", b"two = 2"):
        file.write_bytes(text)
        assert EditedModule.of(used) == ("own", str(file), text)
