"""A malformed message of a page puts a line into the log, and no traceback."""

import contextlib
import logging
import socket as sockets

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

import msgspec.msgpack
import viser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from controlit_console import page_log
from controlit_console.gate import Gate
from controlit_console.gated_server import GatedServer
from controlit_console.page_log import PERIOD, OneLine

pytestmark = pytest.mark.processes

HOST = "127.0.0.1"
NONSENSE = [
    b"",
    b"\x00",
    b"\xc1",
    b"\xff" * 100,
    b"not msgpack at all",
    "a text",
    msgspec.msgpack.encode({"type": "NoSuchMessage"}),
    msgspec.msgpack.encode({"no": "type"}),
    msgspec.msgpack.encode([1, 2, 3]),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": 3, "updates": None}),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage"}),
    msgspec.msgpack.encode([{"type": "CameraMessage", "wxyz": "x"}]),
]


def error(text="odd"):
    return ValueError, ValueError(text), None


def record(text, exc_info=None, level=logging.ERROR):
    return logging.LogRecord("page", level, __file__, 1, text, None, exc_info)


def test_lines_are_few_and_say_how_many_they_stand_for():
    now = [10.0]
    one_line = OneLine(lambda: now[0])
    first, second, third = (record("failed", error("a\nb")) for _ in range(3))
    assert one_line.filter(first)
    assert first.getMessage() == "a page was not understood: failed: ValueError('a\\nb')"
    assert first.exc_info is None
    assert not one_line.filter(second)
    now[0] += PERIOD
    assert one_line.filter(third)
    assert third.getMessage().endswith("(1 more since the last line)")


def test_connections_that_come_and_go_are_no_matter_of_the_log():
    assert not OneLine().filter(record("connection open", level=logging.INFO))


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(page_log, "PERIOD", 0.0)
    server = GatedServer(HOST, 0, Gate())
    yield server
    server.stop()


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_makes_no_traceback(server, caplog, capfd, nonsense):
    address = f"ws://{HOST}:{server.get_port()}"
    kind = f"viser-v{viser.__version__}"
    with (
        caplog.at_level(logging.INFO),
        connect(address, subprotocols=[kind], compression=None, max_size=None) as page,
        contextlib.suppress(ConnectionClosed),
    ):
        for _ in range(3):
            page.send(nonsense)
        with contextlib.suppress(TimeoutError):
            while not caplog.records:
                page.recv(timeout=0.5)
    check(caplog, capfd)


def test_a_socket_that_speaks_something_else_makes_no_traceback(server, caplog, capfd):
    with caplog.at_level(logging.INFO), sockets.socket() as stranger:
        stranger.connect((HOST, server.get_port()))
        stranger.sendall(b"\x16\x03\x01\x02\x00\x01 no request\r\n\r\n")
        stranger.settimeout(5.0)
        with contextlib.suppress(OSError):
            while stranger.recv(1000):
                pass
    check(caplog, capfd)


def check(caplog, capfd):
    assert all(record.exc_info is None for record in caplog.records)
    assert all("\n" not in record.getMessage() for record in caplog.records)
    printed = "".join(capfd.readouterr())
    assert "Traceback" not in caplog.text + printed
