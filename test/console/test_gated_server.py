"""GatedServer: nothing of the page is told to who may not see it."""

import contextlib
import http.client

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

import viser
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect

from controlit_console.console_error import ConsoleError
from controlit_console.gate import COOKIE, Gate
from controlit_console.gated_server import FULL, LONGEST_MESSAGE, MOST_PAGES, GatedServer
from controlit_console.loop_event import CalmBuffer

pytestmark = pytest.mark.processes

HOST = "127.0.0.1"
SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    "Sec-WebSocket-Version": "13",
}


def ask(server, path="/", headers=None):
    """Return status, headers and text of an answer."""
    connection = http.client.HTTPConnection(HOST, server.get_port())
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, b"" if answer.status == 101 else answer.read()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def open_server():
    server = GatedServer(HOST, 0, Gate())
    yield server
    server.stop()


@pytest.fixture(scope="module")
def closed_server():
    server = GatedServer(HOST, 0, Gate("secret"))
    yield server
    server.stop()


def test_the_loopback_gets_the_page(open_server):
    status, _, text = ask(open_server)
    assert status == 200
    assert b"<html" in text


def test_threads_may_wake_the_loop_of_the_server(open_server):
    assert isinstance(open_server._websock_server._broadcast_buffer, CalmBuffer)


def open_socket(server):
    port = server.get_port()
    kind = f"viser-v{viser.__version__}"
    return connect(f"ws://{HOST}:{port}", subprotocols=[kind], compression=None, max_size=None)


def test_pages_are_counted_so_that_those_that_are_open_stay_quick(open_server, poll):
    """Those that say nothing, too: a page that was never drawn has a socket all the same."""
    with contextlib.ExitStack() as exits:
        sockets = [exits.enter_context(open_socket(open_server)) for _ in range(MOST_PAGES)]
        status, _, text = ask(open_server, headers=SOCKET)
        assert (status, text) == (503, FULL.encode())
        assert ask(open_server)[0] == 200  # the page itself, which tries again
        sockets[0].close()
        poll(lambda: ask(open_server, headers=SOCKET)[0] == 101)


def test_a_message_that_is_too_long_ends_its_socket_alone(open_server, poll):
    with open_socket(open_server) as socket, open_socket(open_server) as other:
        with contextlib.suppress(ConnectionClosed):
            socket.send(bytes(LONGEST_MESSAGE + 1))
        poll(lambda: socket.state is State.CLOSED or closes(socket))
        assert other.recv()


def closes(socket):
    with contextlib.suppress(TimeoutError):
        try:
            socket.recv(timeout=0.0)
        except ConnectionClosed:
            return True
    return False


@pytest.mark.parametrize(
    "path",
    ["/../_viser.py", "/%2e%2e/%2e%2e/_viser.py", "//etc/passwd", "/..%5c..%5c_viser.py"],
)
def test_no_other_file_is_served(open_server, path):
    status, _, text = ask(open_server, path)
    assert status in (403, 404) or b"<html" in text


def test_no_other_page_holds_this_one_in_a_frame(open_server):
    _, headers, _ = ask(open_server)
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_a_page_of_somebody_else_gets_neither_page_nor_socket(open_server):
    for headers in ({}, SOCKET):
        status, _, text = ask(open_server, headers={**headers, "Origin": "http://evil.org"})
        assert status == 403
        assert b"evil.org" in text


def test_its_own_page_gets_the_socket(open_server):
    origin = f"http://{HOST}:{open_server.get_port()}"
    assert ask(open_server, headers={**SOCKET, "Origin": origin})[0] == 101


@pytest.mark.parametrize("headers", [{}, SOCKET, {"Cookie": f"{COOKIE}=wrong"}])
@pytest.mark.parametrize("path", ["/", "/?token=wrong"])
def test_a_wrong_token_or_none_is_refused(closed_server, headers, path):
    status, _, text = ask(closed_server, path, headers)
    assert status == 403
    assert b"token" in text


def test_the_token_leads_to_a_cookie_and_that_to_page_and_socket(closed_server):
    status, headers, _ = ask(closed_server, "/?token=secret")
    assert (status, headers["Location"]) == (303, "/")
    cookie, *attributes = headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict"} <= set(attributes)
    assert ask(closed_server, headers={"Cookie": cookie})[0] == 200
    assert ask(closed_server, headers={**SOCKET, "Cookie": cookie})[0] == 101


def test_no_tunnel_is_opened(open_server):
    assert open_server.request_share_url() is None


def test_a_port_that_is_taken_is_no_other_one(open_server):
    port = open_server.get_port()
    with pytest.raises(ConsoleError, match=str(port)):
        GatedServer(HOST, port, Gate())
