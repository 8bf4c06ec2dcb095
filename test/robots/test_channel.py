"""The shared memory channel: whole vectors only, and owners that may die at any time."""

import fcntl
import math
import os
import subprocess
import sys
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import GENEROUS

from controlit_ros.robots import channel
from controlit_ros.robots.channel import (
    ChannelError,
    ChannelReader,
    ChannelWriter,
    channel_path,
    remove_channels_of,
    sweep_leftovers,
)

pytestmark = pytest.mark.processes

SIZE = 200

HAMMER = """
import sys
from itertools import count
import numpy as np
from controlit_ros.robots.channel import ChannelWriter
name, size = sys.argv[1], int(sys.argv[2])
writer = ChannelWriter(name, "hammer", size)
print("ready", flush=True)
sys.stdin.readline()
values = np.empty(size)
for number in count(1):
    values.fill(number)
    writer.write(values)
"""


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """Keep the sweeping of this test from the channels of others, and theirs from its own."""
    monkeypatch.setenv(channel.VARIABLE, str(tmp_path / "channels"))


@pytest.fixture
def hammer(channel_name):
    """Start a process that owns the channel and, told to go, writes without a pause."""
    process = subprocess.Popen(
        [sys.executable, "-c", HAMMER, channel_name, str(SIZE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


@pytest.fixture
def writer(channel_name):
    writer = ChannelWriter(channel_name, "test", 3)
    yield writer
    writer.close()


def attached(name, layout="test", size=3):
    reader = ChannelReader(name, layout, size)
    assert reader.attach()
    return reader


def test_each_vector_is_read_once(channel_name, writer):
    reader = attached(channel_name)
    values = np.zeros(3)
    assert not reader.read(values)
    writer.write(np.array([1.0, 2.0, 3.0]))
    assert reader.read(values)
    np.testing.assert_array_equal(values, [1, 2, 3])
    assert not reader.read(values)


def test_only_the_latest_vector_counts(channel_name, writer):
    reader = attached(channel_name)
    for number in range(5):
        writer.write(np.full(3, float(number)))
    values = np.zeros(3)
    assert reader.read(values)
    np.testing.assert_array_equal(values, 4.0)


def test_every_reader_reads_for_itself(channel_name, writer):
    readers = [attached(channel_name) for _ in range(3)]
    writer.write(np.ones(3))
    assert all(reader.read(np.zeros(3)) for reader in readers)


def test_values_from_before_attaching_do_not_count(channel_name, writer):
    writer.write(np.ones(3))
    assert not attached(channel_name).read(np.zeros(3))


def test_nothing_is_lost_of_an_owner_who_comes_later(channel_name):
    reader = ChannelReader(channel_name, "test", 3)
    assert not reader.attach()
    writer = ChannelWriter(channel_name, "test", 3)
    writer.write(np.ones(3))
    assert reader.attach()
    assert reader.read(np.zeros(3))
    writer.close()
    writer = ChannelWriter(channel_name, "test", 3)
    writer.write(np.ones(3))
    assert reader.attach()
    assert reader.read(np.zeros(3))
    writer.close()


def test_after_detaching_the_next_look_is_the_first(channel_name, writer):
    reader = attached(channel_name)
    writer.write(np.ones(3))
    reader.detach()
    assert reader.attach()
    assert not reader.read(np.zeros(3))


def test_the_owner_before_a_foreign_one_is_forgotten(channel_name):
    first = ChannelWriter(channel_name, "test", 3)
    reader = attached(channel_name)
    first.close()
    foreign = ChannelWriter(channel_name, "other", 3)
    with pytest.raises(ChannelError, match="something else"):
        reader.attach()
    assert not reader.attached
    foreign.close()


def test_a_vector_being_written_is_not_read(channel_name, writer):
    reader = attached(channel_name)
    writer.write(np.ones(3))
    writer._header[5] += 1  # the writer has begun and got no further
    values = np.zeros(3)
    assert not reader.read(values)
    np.testing.assert_array_equal(values, 0.0)


def test_a_vector_with_another_checksum_is_not_read(channel_name, writer):
    reader = attached(channel_name)
    writer.write(np.ones(3))
    writer._values[1] = 7.0
    values = np.zeros(3)
    assert not reader.read(values)
    np.testing.assert_array_equal(values, 0.0)


class Clock:
    """Stands still until told."""

    def __init__(self, monkeypatch):
        self.now = 10**12  # [ns]
        monkeypatch.setattr(channel.time, "monotonic_ns", lambda: self.now)


@pytest.mark.usefixtures("own_folder")
@given(ages=st.lists(st.integers(1, 10**15), min_size=1, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_silence_is_the_time_since_the_last_write(channel_name, ages):
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(patch)
        writer = ChannelWriter(channel_name, "test", 3)
        try:
            reader = attached(channel_name)
            assert reader.silence == 0.0
            for age in ages:
                clock.now += age
                assert reader.silence == pytest.approx(age * 1e-9)
                writer.write(np.ones(3))
                assert reader.silence == 0.0
            clock.now -= 1  # a heartbeat of the future, as of another machine's memory
            assert reader.silence == math.inf
        finally:
            writer.close()


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(
    ("age", "is_swept"),
    [(-(10**9), True), (-1, True), (0, False), (59 * 10**9, False), (60 * 10**9, True)],
)
def test_leftovers_are_swept_by_their_age(channel_name, monkeypatch, age, is_swept):
    """Below zero: from before the machine was started anew, where the memory outlived it."""
    clock = Clock(monkeypatch)
    leftover = ChannelWriter(channel_name, "test", 3)
    fcntl.flock(leftover._descriptor, fcntl.LOCK_UN)  # as when its process ends
    clock.now += age
    sweep_leftovers()
    assert leftover.path.exists() is not is_swept
    leftover.close()


def test_without_owner_there_is_nothing_to_attach_to(channel_name):
    reader = ChannelReader(channel_name, "test", 3)
    assert not reader.attach()
    assert not reader.attached
    assert reader.silence == float("inf")
    assert not reader.read(np.zeros(3))


@pytest.mark.parametrize(("layout", "size"), [("other", 3), ("test", 4)])
def test_another_layout_is_refused(channel_name, writer, layout, size):
    with pytest.raises(ChannelError, match="something else"):
        ChannelReader(channel_name, layout, size).attach()


def test_a_foreign_file_is_refused(channel_name, writer):
    os.truncate(channel_path(channel_name), 10)
    with pytest.raises(ChannelError, match="something else"):
        ChannelReader(channel_name, "test", 3).attach()


def test_a_channel_has_one_owner(channel_name, writer):
    with pytest.raises(ChannelError, match=f"belongs to process {os.getpid()}"):
        ChannelWriter(channel_name, "test", 3)
    writer.write(np.ones(3))  # and it still has


def test_closing_removes_the_file(channel_name):
    writer = ChannelWriter(channel_name, "test", 3)
    reader = attached(channel_name)
    writer.write(np.ones(3))
    writer.close()
    writer.close()
    assert not channel_path(channel_name).exists()
    assert not reader.attach()
    assert reader.read(np.zeros(3))  # the last value is not lost


def test_reader_follows_the_next_owner(channel_name):
    first = ChannelWriter(channel_name, "test", 3)
    reader = attached(channel_name)
    first.close()
    second = ChannelWriter(channel_name, "test", 3)
    assert reader.attach()
    second.write(np.full(3, 2.0))
    values = np.zeros(3)
    assert reader.read(values)
    np.testing.assert_array_equal(values, 2.0)
    second.close()


def test_no_temporary_files_remain(channel_name, writer):
    path = channel_path(channel_name)
    assert list(path.parent.glob(f"{path.name}*")) == [path]
    assert path.stat().st_mode & 0o077 == 0


def test_a_killed_owner_leaves_a_channel_for_the_next(channel_name, hammer):
    reader = attached(channel_name, "hammer", SIZE)
    hammer.kill()
    hammer.wait()
    assert channel_path(channel_name).exists()
    assert not reader.attach()
    writer = ChannelWriter(channel_name, "hammer", SIZE)
    assert reader.attach()
    writer.write(np.ones(SIZE))
    assert reader.read(np.zeros(SIZE))
    writer.close()


@pytest.mark.usefixtures("own_folder")
def test_the_next_writer_of_any_name_sweeps_old_leftovers(channel_name, hammer, monkeypatch):
    path = channel_path(channel_name)
    other = ChannelWriter(f"{channel_name}.other", "test", 3)
    foreign = channel_path(f"{channel_name}.foreign")
    foreign.write_bytes(bytes(64))
    monkeypatch.setattr(channel, "LEFTOVER_AGE", 0.0)
    try:
        sweep_leftovers()
        assert path.exists()  # its owner lives, though it is silent
        hammer.kill()
        hammer.wait()
        monkeypatch.setattr(channel, "LEFTOVER_AGE", 600.0)
        sweep_leftovers()
        assert path.exists()  # whoever owned it may come back
        monkeypatch.setattr(channel, "LEFTOVER_AGE", 0.0)
        ChannelWriter(f"{channel_name}.next", "test", 3).close()
        assert not path.exists()
        assert other.path.exists()
        assert foreign.exists()  # not a channel, or not yet one
        reader = attached(f"{channel_name}.other")
        other.write(np.ones(3))
        assert reader.read(np.zeros(3))
    finally:
        foreign.unlink()
        other.close()


def test_closing_leaves_alone_who_took_the_name_since(channel_name):
    former = ChannelWriter(channel_name, "test", 3)
    former.path.unlink()  # by an administrator, say
    with_the_name = ChannelWriter(channel_name, "test", 3)
    try:
        former.close()
        assert with_the_name.path.exists()
        reader = attached(channel_name)
        with_the_name.write(np.ones(3))
        assert reader.read(np.zeros(3))
    finally:
        with_the_name.close()


def test_hammering_shows_no_torn_vector(channel_name, hammer):
    reader = attached(channel_name, "hammer", SIZE)
    hammer.stdin.write("go\n")
    hammer.stdin.flush()
    values = np.zeros(SIZE)
    last = 0.0
    reads = 0
    deadline = time.monotonic() + GENEROUS
    while reads < 300:
        assert time.monotonic() < deadline
        if reader.read(values):
            assert (values == values[0]).all()
            assert values[0] > last
            last = values[0]
            reads += 1


def test_an_owner_killed_while_writing_tears_nothing(channel_name, hammer):
    reader = attached(channel_name, "hammer", SIZE)
    hammer.stdin.write("go\n")
    hammer.stdin.flush()
    values = np.zeros(SIZE)
    deadline = time.monotonic() + GENEROUS
    while not reader.read(values):
        assert time.monotonic() < deadline
    hammer.kill()
    hammer.wait()
    reader.read(values)  # whether it ended within a write is up to chance
    assert (values == values[0]).all()
    assert not reader.read(values)


def test_reading_and_writing_allocate_nothing(channel_name, writer):
    reader = attached(channel_name)
    values = np.ones(3)
    out = np.zeros(3)

    def cycle():
        for _ in range(1000):
            writer.write(values)
            reader.read(out)

    cycle()
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    cycle()
    after = tracemalloc.take_snapshot()
    tracemalloc.stop()
    only = [tracemalloc.Filter(True, "*channel.py")]
    grown = after.filter_traces(only).compare_to(before.filter_traces(only), "lineno")
    assert sum(line.size_diff for line in grown) < 1000  # a number or two kept, none per cycle


def test_what_a_killed_process_left_can_be_removed(channel_name):
    pid = os.fork()
    if pid == 0:
        ChannelWriter(channel_name, "layout", 3)
        os._exit(0)  # as kill -9: nothing is given up
    os.waitpid(pid, 0)
    path = channel_path(channel_name)
    own = ChannelWriter(f"{channel_name}.own", "layout", 3)
    assert path.exists()
    remove_channels_of(os.getpid())
    assert path.exists()
    assert own.path.exists()
    remove_channels_of(pid)
    assert not path.exists()
    own.close()
