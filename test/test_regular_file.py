"""Only regular files are read, at once and never without end."""

import ast
import os
import re
import socket
from contextlib import closing
from pathlib import Path

import pytest
from patience import GENEROUS
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.model import RobotState
from controlit_ros.nodes.offline import StateFileError, read_state
from controlit_ros.regular_file import (
    NotTextError,
    UnreadableFileError,
    UnwritableFileError,
    check_readable,
    check_writable,
    read_text,
    write_text,
)

LIMIT = 1000
TEXT = """
name: arm
robot_description: {}
"""


def irregular(path, kind):
    """Make something at a path that is no regular file: by name, or a link to a device."""
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with closing(socket.socket(socket.AF_UNIX)) as listener:
            listener.bind(str(path))  # its name stays
    else:
        path.symlink_to(kind)
    return path


@pytest.fixture(name="endless", params=["/dev/zero", "/dev/urandom", "fifo", "socket", "folder"])
def make_endless(request, tmp_path):
    return irregular(tmp_path / "it", request.param)


@pytest.fixture(name="sink", params=["/dev/full", "/dev/null", "fifo", "socket", "folder"])
def make_sink(request, tmp_path):
    return irregular(tmp_path / "it", request.param)


@pytest.mark.processes
@pytest.mark.timeout(GENEROUS / 2)
def test_what_never_ends_is_refused_at_once_wherever_a_file_is_named(endless):
    for read in (read_text, check_readable):
        with pytest.raises(UnreadableFileError, match="cannot be read: "):
            read(endless, LIMIT)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_configuration(endless)
    with pytest.raises(ConfigurationError, match=r"3:1: robot_description: .*cannot be read"):
        load_configuration(TEXT.format(endless))
    with pytest.raises(StateFileError, match="cannot be read"):
        read_state(endless, RobotState(("elbow",)))


@pytest.mark.timeout(GENEROUS / 2)
def test_what_is_written_into_a_pipe_is_not_taken(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDWR)
    with closing(os.fdopen(descriptor, "wb", buffering=0)) as writer:
        writer.write(b"name: arm\n")
        with pytest.raises(UnreadableFileError, match="it is a pipe, expected a regular file"):
            read_text(path, LIMIT)


@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1])
def test_sizes(tmp_path, size):
    path = tmp_path / "file"
    path.write_bytes(b"x" * size)
    if size <= LIMIT:
        assert read_text(path, LIMIT) == "x" * size
        check_readable(path, LIMIT)
    else:
        for read in (read_text, check_readable):
            with pytest.raises(UnreadableFileError, match="expected at most"):
                read(path, LIMIT)


def test_a_file_without_a_size_is_bounded_as_well():
    path = Path("/proc/self/smaps")  # regular, of size 0, and long
    if not path.exists():
        pytest.skip("no /proc here")
    with pytest.raises(UnreadableFileError, match="expected at most"):
        read_text(path, LIMIT)


def test_bytes_that_are_no_text_have_a_line(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a\nb\n\xff")
    with pytest.raises(NotTextError, match="in line 3") as caught:
        read_text(path, LIMIT)
    assert caught.value.line == 3


@pytest.mark.processes
@pytest.mark.timeout(GENEROUS / 2)
def test_only_regular_files_are_written(sink):
    for write in (check_writable, lambda path: write_text(path, "text")):
        with pytest.raises(UnwritableFileError, match=r"it cannot be written: it is a \w+"):
            write(sink)


@pytest.mark.timeout(GENEROUS / 2)
def test_a_pipe_that_somebody_reads_is_not_written_either(tmp_path):
    path = irregular(tmp_path / "pipe", "fifo")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(UnwritableFileError, match="it is a pipe"):
        write_text(path, "text")
    assert os.read(reader, 10) == b""
    os.close(reader)


@pytest.mark.parametrize("before", [None, "", "a longer text that was there before"])
def test_what_is_written_is_all_there_is(tmp_path, before):
    path = tmp_path / "file"
    if before is not None:
        path.write_text(before, encoding="utf-8")
    check_writable(path)
    assert path.read_text(encoding="utf-8") == (before or "")  # nothing is lost by looking
    write_text(path, "ä text")
    assert path.read_text(encoding="utf-8") == "ä text"
    with pytest.raises(FileExistsError):
        write_text(path, "another", replace=False)
    assert path.read_text(encoding="utf-8") == "ä text"


def test_where_nothing_can_be_written_is_told(tmp_path):
    path = tmp_path / "none" / "file"
    for write in (check_writable, lambda path: write_text(path, "text")):
        with pytest.raises(UnwritableFileError, match="file cannot be written: No such file or"):
            write(path)


def writes(call):
    """Return whether a call opens a file to write it."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    modes = [a.value for a in call.args if isinstance(a, ast.Constant)]
    opens = name == "open" and any(re.fullmatch(r"[wax][bt+]*", str(mode)) for mode in modes)
    return opens or (name in {"write_text", "write_bytes"} and isinstance(call.func, ast.Attribute))


def test_files_that_may_stand_there_already_are_written_by_these_functions():
    """Whatever opens a file to write by itself waits for the reader of a pipe."""
    found = {
        path.name
        for folder in ("controlit_ros", "controlit_demos")
        for path in (REPOSITORY / folder).rglob("*.py")
        if re.search(r"open|write_(text|bytes)", text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and writes(node)
    }
    assert found == {"own_package.py", "bag_repair.py"}  # whose folders are new


def test_a_name_like_none_is_told_with_those_of_its_kind(tmp_path):
    for name in ("hands.yaml", "reach.yaml", "robot.urdf"):
        (tmp_path / name).touch()
    with pytest.raises(UnreadableFileError) as told:
        read_text(tmp_path / "zzzzzzzzzz.yaml", 100)
    assert str(told.value) == "there is no such file (there are hands.yaml, reach.yaml)"
    with pytest.raises(UnreadableFileError) as told:
        read_text(tmp_path / "zzzzzzzzzz.xml", 100)
    assert str(told.value) == "there is no such file"


def test_a_name_that_is_not_there_is_told_with_the_nearest_beside_it(tmp_path):
    (tmp_path / "hands.yaml").write_text(TEXT)
    (tmp_path / "unlike.txt").write_text(TEXT)
    with pytest.raises(UnreadableFileError) as told:
        read_text(tmp_path / "hand.yaml", LIMIT)
    assert str(told.value) == "there is no such file (did you mean 'hands.yaml'?)"
    for path in (tmp_path / "qqq", tmp_path / "no_folder" / "hands.yaml"):
        with pytest.raises(UnreadableFileError, match=r"^there is no such file$"):
            read_text(path, LIMIT)
