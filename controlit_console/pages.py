"""Pages: shows the newest moment on all pages, whatever else the console waits for."""

import logging
import threading
import time

from controlit_console.page import Page
from controlit_console.seen import NOTHING, Seen
from controlit_ros.running_thread import running_thread

PERIOD = 0.2  # [s] numbers that change faster cannot be read
LEAVE = 0.1  # [s] for the last moment to reach pages

_log = logging.getLogger("controlit.console")


class Pages:
    """All pages that are open; a context manager that shows them.

    A thread of its own does: while a controller is looked for, or does not answer, pages go on
    telling who has control.

    Attributes:
        seen: What to show; a controller that comes, or goes, is shown at once.
    """

    def __init__(self) -> None:
        self._seen: Seen = NOTHING
        self._is_due = threading.Event()
        self._pages: dict[int, Page] = {}
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._failed: set[int] = set()

    @property
    def seen(self) -> Seen:
        """What is shown."""
        return self._seen

    @seen.setter
    def seen(self, seen: Seen) -> None:
        is_news = seen.name != self._seen.name
        self._seen = seen
        if is_news:
            self._is_due.set()

    def add(self, page: Page) -> None:
        """Show a page, at once and from now on."""
        with self._lock:
            self._pages[page.number] = page
        self._is_due.set()

    def remove(self, number: int) -> None:
        """Show a page no more."""
        with self._lock:
            self._pages.pop(number, None)

    def all(self) -> list[Page]:
        """Return the pages that are open."""
        with self._lock:
            return list(self._pages.values())

    def __enter__(self) -> "Pages":  # noqa: PYI034 - typing.Self needs Python 3.11
        self._thread = running_thread(self._show, "pages")
        return self

    def __exit__(self, *_error: object) -> None:
        """Show the last moment, which stays on pages that are left open."""
        self._is_over.set()
        self._is_due.set()
        self._thread.join()
        if self.all():
            time.sleep(LEAVE)

    def _show(self) -> None:
        is_over = False
        while not is_over:
            self._is_due.wait(PERIOD)
            self._is_due.clear()
            is_over = self._is_over.is_set()
            seen = self.seen
            for page in self.all():
                self._show_on(page, seen)

    def _show_on(self, page: Page, seen: Seen) -> None:
        try:
            page.show(seen)
        except Exception:  # noqa: BLE001 - a page that fails takes no other with it
            if page.number not in self._failed:
                self._failed.add(page.number)
                _log.exception("page %d cannot be shown", page.number)
