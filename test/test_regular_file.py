"""Only regular files are read, at once and never without end."""

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.model import RobotState
from controlit_ros.nodes.offline import StateFileError, read_state
from controlit_ros.regular_file import (
    NotTextError,
    UnreadableFileError,
    check_readable,
    read_text,
)

LIMIT = 1000
TEXT = """
name: arm
robot_description: {}
"""


@pytest.fixture(name="endless", params=["/dev/zero", "/dev/urandom", "fifo", "socket", "folder"])
def make_endless(request, tmp_path):
    path = tmp_path / "it"
    if request.param == "fifo":
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "socket":
        with closing(socket.socket(socket.AF_UNIX)) as listener:
            listener.bind(str(path))  # its name stays
    else:
        path.symlink_to(request.param)
    return path


@pytest.mark.processes
@pytest.mark.timeout(20)
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


@pytest.mark.timeout(20)
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
