"""A console and a controller for it, in threads of the test's process."""

import threading
import time
from pathlib import Path

from headless_page import HeadlessPage
from lock_step import LockStep
from patience import GENEROUS, PATIENCE_WITH_SERVOS, wait_for_servos

from controlit_console.bag import Bag
from controlit_console.console import Console
from controlit_console.console_error import ConsoleError
from controlit_console.control_desk import ControlDesk
from controlit_console.gate import Gate
from controlit_console.gated_server import GatedServer
from controlit_console.search import Search


def refuse():
    raise ConsoleError("nothing is recorded here")


class ServedConsole:
    """A console in a thread of its own.

    Args:
        transport: By which it finds its controller.
        poll: Waits for a condition.
        token: Asked of every page; empty: none.
        bags: Opens a transport for a recording.
        folder: Where recordings go.
        desk: Who may command; `None`: whoever asks first.

    Attributes:
        server: Of its pages.
        port: Where it serves.
        desk: Who may command.
        bag: Records.
    """

    def __init__(self, transport, poll, token="", bags=None, folder=Path("bags"), desk=None):
        self._poll = poll
        self.server = GatedServer("127.0.0.1", 0, Gate(token))
        self.port = self.server.get_port()
        self.desk = desk or ControlDesk(time.monotonic)
        self.is_over = threading.Event()
        self.bag = Bag(bags or refuse, folder)
        console = Console(self.server, Search(transport, None), self.desk, self.bag)
        self._thread = threading.Thread(target=console.run, args=(self.is_over.is_set,))
        self._thread.start()
        self._pages = []

    def open(self):
        self._pages.append(HeadlessPage(self.port, self._poll))
        return self._pages[-1]

    def end(self):
        """End while pages are open, as a console does that is told to."""
        self.is_over.set()
        self._thread.join(GENEROUS)
        self.server.stop()

    def close(self):
        for page in self._pages:
            page.close()
        self.end()


class LivingServo:
    """A servo in lock step with itself: its time passes as fast as the machine lets it.

    Args:
        file: Its configuration.
        domain: Of its local transport.
        monkeypatch: Lets nobody give up on it.
    """

    def __init__(self, file, domain, monkeypatch):
        self._monkeypatch = monkeypatch
        wait_for_servos(monkeypatch)
        self.servo = LockStep(file, domain)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def end(self):
        if not self._is_over.is_set():
            self._is_over.set()
            self._thread.join(GENEROUS)
            for name in PATIENCE_WITH_SERVOS:  # no cycle comes any more for those who wait for one
                self._monkeypatch.setattr(name, 0.0)
            self.servo.stop()

    def _live(self):
        while not self._is_over.is_set():
            self.servo.step()
            time.sleep(0.001)  # others have the interpreter, too
