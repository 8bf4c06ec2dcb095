"""Nobody else reads, writes, makes or removes the shared memory of a user."""

import fcntl
import os
import socket
import stat
import struct
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from other_user import (
    NOBODY,
    PATIENCE,
    as_nobody,
    end,
    needs_another_user,
    possible,
    start_as_nobody,
)

from controlit_ros.bindings.shared_vector import VectorReceiver, VectorSender
from controlit_ros.controllers.command import Command
from controlit_ros.errors import ControlItError
from controlit_ros.robots.channel import (
    VARIABLE,
    ChannelError,
    ChannelReader,
    ChannelWriter,
    channel_folder,
    channel_path,
    layout_number,
    sweep_leftovers,
)
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.push_channel import PushReader, PushWriter
from controlit_ros.robots.relay_link import RelayLink, refusal_writer
from controlit_ros.robots.scene_channel import SceneReader, SceneWriter
from controlit_ros.robots.simulation_options import SimulationOptions

pytestmark = pytest.mark.processes

FORGED = 7.0
BALL = """
<mujoco><worldbody><body name="ball"><freejoint/><geom type="sphere" size="0.05"/></body>
</worldbody></mujoco>
"""


def forged_file(layout, size):
    """Return a channel as the documentation says, byte by byte, that carries a vector."""
    values = struct.pack(f"={size}d", *[FORGED] * size)
    now = time.monotonic_ns()
    head = (0x31544C5443, 2, layout_number(layout), size, os.getpid(), 4, now, crc32(values))
    return struct.pack("=8Q", *head) + values


@pytest.fixture
def public():
    """Return a folder that everybody may use, as the one for shared memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o1777)
        yield folder


@pytest.fixture
def elsewhere(public, monkeypatch):
    """Have our channels in a folder in a public one; it is not made yet."""
    folder = public / f"controlit-{os.geteuid()}"
    monkeypatch.setenv(VARIABLE, str(folder))
    assert channel_folder() == folder
    return folder


class Uses:
    """Every use of a channel: who owns it, and who reads it."""

    def __init__(self, cart, folder):
        scene = folder / "scene.xml"
        scene.write_text(BALL)
        options = SimulationOptions((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), scene=str(scene))
        simulation = Simulation(cart, options)
        state, command = state_layout(cart), command_layout(cart)
        ones = np.ones(command.size)
        self._made = []

        def opened(link):
            self._made.append(link)
            link.open()
            return link

        def kept(writer):
            self._made.append(writer)
            return writer

        self.owners = {
            "command": lambda: opened(ChannelLink("arm", state, command)).send(ones),
            "state": lambda: opened(ChannelLink("arm", command, state)).send(np.ones(state.size)),
            "relay": lambda: kept(refusal_writer("arm")).write(np.ones(1)),
            "binding": lambda: kept(VectorSender("/arm/goal", 3)).send(np.ones(3)),
            "scene": lambda: kept(SceneWriter(simulation, "arm")).write(),
            "push": lambda: kept(PushWriter(cart.urdf, "arm")).push("cart", np.ones(3), 1.0),
        }
        links = {
            "state": ChannelLink("arm", state, command),
            "command": ChannelLink("arm", command, state),
            "relay": RelayLink("arm", "states", state, command),
        }
        vector = VectorReceiver("/arm/goal", 3)
        scene_reader = SceneReader(simulation.scene_bodies, "arm")
        pushes = PushReader(simulation, "arm")

        def received(link):
            link.tend()
            return link.receive(np.zeros(link.incoming.size)) or link.counts.malformed > 1

        def pushed():
            before = simulation.latest().velocity.copy()
            pushes.look_for_writer()
            pushes.apply()
            simulation.apply(Command(cart.command_names))
            simulation.step()
            return bool(np.abs(simulation.latest().velocity - before).max() > 1e-6)

        def vector_received():
            try:
                return vector.receive() is not None
            except ControlItError:
                return False

        self.readers = {
            **{name: lambda link=link: received(link) for name, link in links.items()},
            "binding": vector_received,
            "scene": lambda: scene_reader.read() is not None,
            "push": pushed,
        }
        self.links = links

    def close(self):
        for made in self._made:
            made.close()


@pytest.fixture
def uses(cart, tmp_path, elsewhere):
    assert elsewhere is not None
    made = Uses(cart, tmp_path)
    yield made
    made.close()


NAMES = ("command", "state", "relay", "binding", "scene", "push")


@needs_another_user
def test_another_user_can_neither_read_nor_write_any_channel(uses, elsewhere):
    for begin in uses.owners.values():
        begin()
    paths = sorted(elsewhere.iterdir())
    assert len(paths) == len(uses.owners)
    before = {path: path.read_bytes() for path in paths}

    def attack():
        attempts = {
            "list": lambda: list(elsewhere.iterdir()),
            "enter": lambda: os.chdir(elsewhere),
            "create": (elsewhere / "new").touch,
            "open up": lambda: elsewhere.chmod(0o777),
            "rename the folder": lambda: elsewhere.rename(elsewhere.with_name("mine")),
            "remove the folder": elsewhere.rmdir,
        }
        for path in paths:
            attempts |= {
                f"read {path}": path.read_bytes,
                f"write {path}": lambda path=path: os.open(path, os.O_WRONLY),
                f"truncate {path}": lambda path=path: os.truncate(path, 0),
                f"remove {path}": path.unlink,
                f"rename {path}": lambda path=path: path.rename(path.with_name("x")),
                f"link {path}": lambda path=path: os.link(path, elsewhere.parent / "x"),
                f"chmod {path}": lambda path=path: path.chmod(0o666),
                f"look at {path}": path.stat,
            }
        return possible(attempts)

    assert as_nobody(attack) == []
    assert {path: path.read_bytes() for path in sorted(elsewhere.iterdir())} == before
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}


def folder_first(path, mode=0o777):
    path.mkdir()
    path.chmod(mode)


def link_first(path):
    target = path.with_name("stranger's")
    folder_first(target)
    path.symlink_to(target)


def socket_first(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


TRAPS = {
    "open folder": folder_first,
    "closed folder": lambda path: folder_first(path, 0o700),
    "link": link_first,
    "file": lambda path: path.touch(),
    "fifo": os.mkfifo,
    "socket": socket_first,
}


@needs_another_user
@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_another_user_made_first_is_an_error(uses, elsewhere, trap, name):
    as_nobody(lambda: TRAPS[trap](elsewhere))
    expected = r"nobody \(uid \d+\).*administrator.*CONTROLIT_SHARED_MEMORY"
    with pytest.raises(ControlItError, match=expected):
        uses.owners[name]()
    assert not uses.readers[name]()
    if name in uses.links:
        uses.links[name].tend()
        assert "nobody" in uses.links[name].explain()
    with pytest.raises(ChannelError, match="nobody"):
        sweep_leftovers()


@needs_another_user
def test_forged_channels_are_not_heard(elsewhere):
    """The attack itself: names made first, in the folder itself and where it leads."""
    content = forged_file("test", 3)

    def forge():
        elsewhere.mkdir()
        elsewhere.chmod(0o777)
        path = elsewhere / "arm.state"
        path.write_bytes(content)
        path.chmod(0o666)
        with path.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            time.sleep(60.0)

    pid, answer = start_as_nobody(forge)
    try:
        while not (elsewhere / "arm.state").exists():
            time.sleep(0.005)
        reader = ChannelReader("arm.state", "test", 3)
        with pytest.raises(ChannelError, match="nobody"):
            reader.attach(with_present=True)
        assert not reader.attached
        assert not reader.read(np.zeros(3))
    finally:
        end(pid)
        os.close(answer)


@needs_another_user
@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_a_file_of_another_user_in_our_folder_is_an_error(elsewhere, mode):
    """As an administrator or a program with more rights might leave it."""
    ChannelWriter("other", "test", 3).close()
    path = elsewhere / "arm"
    path.write_bytes(forged_file("test", 3))
    path.chmod(mode)
    os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)
    with path.open("rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        refusal = rf"{path} belongs to nobody \(uid {NOBODY.pw_uid}\).*expected root"
        with pytest.raises(ChannelError, match=refusal):
            ChannelReader("arm", "test", 3).attach(with_present=True)
        with pytest.raises(ChannelError, match=refusal):
            ChannelWriter("arm", "test", 3)
    assert path.exists()


@needs_another_user
def test_a_path_that_another_user_exchanges_all_the_time_never_leads_to_his_files(
    public, monkeypatch
):
    """What is checked is what was opened: his folder has ours for an instant and then his own."""
    content = forged_file("test", 3)
    his = public / "his"
    ours = public / "ours"
    ours.mkdir(mode=0o700)
    monkeypatch.setenv(VARIABLE, str(his / "channels"))

    def exchange():
        his.mkdir()
        his.chmod(0o777)
        trap = his / "trap"
        trap.mkdir()
        trap.chmod(0o777)
        path = trap / "arm"
        path.write_bytes(content)
        path.chmod(0o600)
        held = path.open("rb+")
        fcntl.flock(held, fcntl.LOCK_EX)
        name = his / "channels"
        (his / "ready").touch()
        steps = (
            lambda: name.symlink_to(ours),
            name.unlink,
            lambda: trap.rename(name),
            lambda: name.rename(trap),
            name.rmdir,  # who finds nothing there makes a folder, which would end all exchanging
        )
        while True:
            for step in steps:
                with suppress(OSError):
                    step()

    pid, answer = start_as_nobody(exchange)
    try:
        while not (his / "ready").exists():
            time.sleep(0.005)
        reader = ChannelReader("arm", "test", 3)
        tries = refusals = 0
        until = time.monotonic() + PATIENCE  # the other process may not be let run for a while
        while (tries < 2000 or not refusals) and time.monotonic() < until:
            tries += 1
            try:
                assert not reader.attach(with_present=True)
            except ChannelError:
                refusals += 1
            assert not reader.read(np.zeros(3))
        assert refusals
    finally:
        end(pid)
        os.close(answer)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mode=st.integers(0, 0o7777).filter(lambda mode: mode & 0o077))
def test_what_others_may_touch_is_not_used(elsewhere, mode):
    """Every mode with a right for others, of the file and of the folder."""
    with_owner = mode | 0o700
    writer = ChannelWriter("arm", "test", 3)
    try:
        writer.path.chmod(with_owner)
        with pytest.raises(ChannelError, match=rf"arm has mode {with_owner:04o}.*expected 0600"):
            ChannelReader("arm", "test", 3).attach()
        elsewhere.chmod(with_owner)
        with pytest.raises(ChannelError, match=rf"has mode {with_owner:04o}.*expected 0700"):
            ChannelReader("arm", "test", 3).attach()
        with pytest.raises(ChannelError, match=rf"has mode {with_owner:04o}.*expected 0700"):
            ChannelWriter("other", "test", 3)
    finally:
        elsewhere.chmod(0o700)
        writer.close()
    assert not writer.path.exists()


def device_first(path):
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero: zeros without an end


KINDS = {
    "fifo": (lambda path: os.mkfifo(path, 0o600), "a FIFO"),
    "folder": (lambda path: path.mkdir(0o700), "a folder"),
    "link": (lambda path: path.symlink_to("/etc/passwd"), "a symbolic link"),
    "dangling link": (lambda path: path.symlink_to("nowhere"), "a symbolic link"),
    "socket": (socket_first, "a socket"),
    "device": (device_first, "a device"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_only_regular_files_are_channels(elsewhere, kind):
    make, named = KINDS[kind]
    if kind == "device" and os.geteuid() != 0:
        pytest.skip("only root may make devices")
    ChannelWriter("other", "test", 3).close()
    path = elsewhere / "arm"
    make(path)
    with pytest.raises(ChannelError, match=f"arm is {named}"):
        ChannelReader("arm", "test", 3).attach()
    with pytest.raises(ChannelError, match=f"arm is {named}"):
        ChannelWriter("arm", "test", 3)
    sweep_leftovers()
    assert os.path.lexists(path)


@pytest.mark.parametrize("change", [-8, -1, 1, 8, 4096])
def test_a_file_of_another_length_than_it_says_is_not_mapped(elsewhere, change):
    assert elsewhere is not None
    writer = ChannelWriter("arm", "test", 3)
    os.truncate(writer.path, writer.path.stat().st_size + change)
    reader = ChannelReader("arm", "test", 3)
    with pytest.raises(ChannelError, match="something else"):
        reader.attach()
    assert not reader.attached
    writer.close()


def test_a_channel_is_not_removed_by_who_no_longer_owns_the_name(elsewhere):
    assert elsewhere is not None
    first = ChannelWriter("arm", "test", 3)
    first.path.unlink()
    second = ChannelWriter("arm", "test", 3)
    first.close()
    reader = ChannelReader("arm", "test", 3)
    assert reader.attach()
    second.write(np.ones(3))
    assert reader.read(np.zeros(3))
    second.close()
    assert not second.path.exists()


def test_the_name_given_by_the_environment_is_a_folder_like_any_other(elsewhere):
    assert not elsewhere.exists()
    writer = ChannelWriter("arm", "test", 3)
    assert writer.path.parent == elsewhere
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    writer.close()
    assert channel_path("a/../b").parent == elsewhere
