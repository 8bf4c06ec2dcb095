"""GatedServer: the page's server, behind the gate."""

import asyncio
import contextlib
import io
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any
from unittest.mock import patch

import websockets.asyncio.server
from viser import ViserServer
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from controlit_console.console_error import ConsoleError
from controlit_console.front import Front
from controlit_console.gate import COOKIE, Answer, Gate
from controlit_console.loop_event import use_loop_events
from controlit_console.page_log import log_failed_tasks, page_log

MOST_PAGES = 16  # [#] at once
LONGEST_MESSAGE = 4 * 1024 * 1024  # [bytes] from a page, which sends files in parts
CLOSE_TRY_AGAIN = 1013  # RFC 6455
FULL = f"controlit console: found {MOST_PAGES} pages open, expected fewer: close one\n"

Process = Callable[[Any, Request], Response | None]
Handle = Callable[[Any], Awaitable[None]]


class GatedServer(ViserServer):
    """A server of viser that asks the gate about every request, and opens no tunnel to elsewhere.

    viser has no place for that: its websocket server is started through a stand-in that puts the
    gate before everything else. Where that is not called the server does not begin.

    Args:
        host: Address to listen at.
        port: Port; 0: any that is free.
        gate: Who may pass.

    Raises:
        ConsoleError: The address cannot be listened at, or the gate could not be put in.
    """

    def __init__(self, host: str, port: int, gate: Gate) -> None:
        _check_free(host, port)
        use_loop_events()
        self._open = 0
        serve = websockets.asyncio.server.serve
        guarded: list[int] = []

        def serve_guarded(handle: Handle, *arguments: Any, **options: Any) -> Any:
            guarded.append(port)
            answer = _behind(gate, options.pop("process_request"), self._is_full)
            log_failed_tasks(asyncio.get_event_loop())
            options |= {
                "process_request": answer,
                "max_size": LONGEST_MESSAGE,
                "logger": page_log(),
            }
            return serve(self._counted(handle), *arguments, **options)

        silent = contextlib.redirect_stdout(io.StringIO())  # it prints an address of its own
        with silent, patch.object(websockets.asyncio.server, "serve", serve_guarded):
            super().__init__(host, port, verbose=False)
        if not guarded or (port and self.get_port() != port):
            self.stop()
            raise ConsoleError(f"the page cannot be served behind its gate at {host}:{port}")

    def _is_full(self) -> bool:
        """Return whether no more pages are served, so that those that are stay quick."""
        return self._open >= MOST_PAGES

    def _counted(self, handle: Handle) -> Handle:
        """Return what serves a socket that is counted, be it of a page or silent."""

        async def serve(connection: Any) -> None:
            if self._is_full():  # several came at once
                await connection.close(CLOSE_TRY_AGAIN, FULL.strip())
                return
            self._open += 1
            try:
                await handle(connection)
            finally:
                self._open -= 1

        return serve

    def request_share_url(self, verbose: bool = True) -> str | None:  # noqa: ARG002, FBT001, FBT002
        """Open no tunnel: a robot is not steered through somebody else's computer."""
        return None


def _behind(gate: Gate, process: Process, is_full: Callable[[], bool]) -> Process:
    """Return what answers a request: the gate first, then the page, furnished."""
    front = Front()

    def answer(connection: Any, request: Request) -> Response | None:
        verdict = gate.judge(request.path, request.headers)
        if verdict.answer is Answer.REFUSE:
            return _text(HTTPStatus.FORBIDDEN, f"controlit console: {verdict.reason}\n")
        if verdict.answer is Answer.WELCOME:
            return _welcome(gate.pass_mark)
        if "Upgrade" in request.headers and is_full():
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, FULL)
        response = process(connection, request)
        return None if response is None else front.furnish(response)

    return answer


def _welcome(pass_mark: str) -> Response:
    response = _text(HTTPStatus.SEE_OTHER, "")
    response.headers["Location"] = "/"
    response.headers["Set-Cookie"] = f"{COOKIE}={pass_mark}; Path=/; HttpOnly; SameSite=Strict"
    return response


def _text(status: HTTPStatus, text: str) -> Response:
    body = text.encode()
    headers = Headers(
        {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))}
    )
    return Response(status, status.phrase, headers, body)


def _check_free(host: str, port: int) -> None:
    """Find out whether the address can be listened at; viser would take another one silently."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ConsoleError(
            f"the page cannot be served at {host}:{port}: {error.strerror or error}; "
            "choose another with --port"
        ) from None
