"""Later: an answer that is not known yet."""

from collections.abc import Callable
from threading import Lock

from controlit_ros.interfaces import Message


class Later:
    """What a handler returns instead of a response that it does not have yet.

    The caller waits until the response is given; other calls are answered meanwhile. A caller who
    is gone by then costs nothing.
    """

    __slots__ = ("_lock", "_response", "_send")

    def __init__(self) -> None:
        self._lock = Lock()
        self._response: Message | None = None
        self._send: Callable[[Message], None] | None = None

    def give(self, response: Message) -> None:
        """Answer, from any thread; only the first response counts."""
        with self._lock:
            if self._response is not None:
                return
            self._response = response
            send = self._send
        if send is not None:
            send(response)

    def send_by(self, send: Callable[[Message], None]) -> None:
        """Tell how the response gets to the caller; for the transport, once."""
        with self._lock:
            self._send = send
            response = self._response
        if response is not None:
            send(response)


def reply(response: "Message | Later", send: Callable[[Message], None]) -> None:
    """Send what a handler returned, now or when it is given."""
    if isinstance(response, Later):
        response.send_by(send)
    else:
        send(response)
