"""What `controlit run` shows on a terminal: lines that are replaced, progress, a live display."""

import io
import os
import pty
import re
import select
import subprocess
import sys
import threading
import time

import pytest
from console_processes import CONTROLIT, CONTROLLERS, clean_environment
from patience import GENEROUS

from controlit_bench.free_domain import free_domain
from controlit_ros.cli.servo_watch import bar
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines

pytestmark = pytest.mark.processes


class Terminal(io.StringIO):
    """Remembers what a terminal would show; knows the sequences that are used."""

    def isatty(self):
        return True

    def shown(self):
        rows, row = [""], 0
        for part in re.findall(r"\033\[A|\033\[K|\r|\n|[^\033\r\n]+", self.getvalue()):
            if part == "\033[A":
                row -= 1
            elif part == "\033[K":
                rows[row] = ""
            elif part == "\n":
                row += 1
                if row == len(rows):
                    rows.append("")
            elif part != "\r":
                rows[row] += part
        return "\n".join(rows).rstrip("\n")


def test_lines_are_replaced_by_others():
    terminal = Terminal()
    lines = StatusLines(terminal)
    lines.draw("one", "two", "three")
    assert terminal.shown() == "one\ntwo\nthree"
    lines.draw("four")
    assert terminal.shown() == "four"
    lines.print_above("a log", terminal)
    assert terminal.shown() == "a log\nfour"
    lines.clear()
    assert terminal.shown() == "a log"


def test_a_line_that_is_too_long_is_cut(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    StatusLines(terminal).draw("x" * 50)
    assert terminal.shown() == "x" * 19


def test_nothing_is_drawn_where_there_is_no_terminal():
    stream = io.StringIO()
    lines = StatusLines(stream)
    lines.draw("one")
    with StartProgress(lines, "loading", is_quiet=False) as progress:
        progress.step("more")
    assert stream.getvalue() == ""


def test_progress_names_the_step_and_goes(poll):
    terminal = Terminal()
    lines = StatusLines(terminal)
    with StartProgress(lines, "loading it", is_quiet=False) as progress:
        poll(lambda: re.fullmatch(r"loading it \.\.\. \d+ s", terminal.shown()))
        progress.end()
        assert terminal.shown() == ""
        progress.step("starting it")
        poll(lambda: re.fullmatch(r"starting it \.\.\. \d+ s", terminal.shown()))
    assert terminal.shown() == ""


def test_what_takes_long_is_told_on_a_terminal_and_elsewhere(poll, capsys):
    terminal = Terminal()
    with StartProgress(StatusLines(terminal), "loading it", is_quiet=False) as progress:
        progress.tell("compiling it")
        poll(lambda: re.fullmatch(r"compiling it \.\.\. \d+ s", terminal.shown()))
    with StartProgress(StatusLines(io.StringIO()), "loading it", is_quiet=False) as progress:
        progress.tell("compiling it")
    assert capsys.readouterr() == ("", "compiling it\n")


@pytest.mark.parametrize(
    "words",
    [
        ("check", CONTROLLERS / "hand.yaml"),
        ("compute", CONTROLLERS / "hand.yaml"),
        ("run", CONTROLLERS / "hand.yaml"),
        ("demo", "trikey", "--fast"),
    ],
    ids=lambda words: words[0],
)
def test_who_compiles_says_so_before(words, tmp_path):
    """The first command on a machine takes a minute; here it is ended as soon as it says why."""
    environment = {**clean_environment(free_domain()), "NUMBA_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [CONTROLIT, *map(str, words)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
    )  # fmt: skip
    watchdog = threading.Timer(GENEROUS, process.kill)
    watchdog.start()
    try:
        assert any(b"compiling kernels, once on a machine" in line for line in process.stdout)
    finally:
        watchdog.cancel()
        process.terminate()
        process.communicate()


@pytest.mark.parametrize(("part", "full"), [(-1.0, 0), (0.0, 0), (0.5, 10), (1.0, 20), (7.0, 20)])
def test_bars(part, full):
    assert bar(part).count("█") == full
    assert len(bar(part)) == 20


SIT_DOWN = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(1, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Makes the terminal at the standard output that of a new session, and becomes a command."""
START = r"(loading|putting|joining|starting|compiling)[^\n]* \.\.\. \d+ s"
WORST = r"worst task .*RightHandPosition|worst task .*\w+ [\d.e-]+"
LIMITS = r"effort \d+ % \w+, speed \d+ % \w+, \d+ held"


def test_a_terminal_shows_the_start_and_the_robot():
    """Before anything else is drawn it says what is done, then there is what the servo does."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", SIT_DOWN, CONTROLIT),
            *("run", str(CONTROLLERS / "hand.yaml"), "--set", f"name=shown_{os.getpid()}"),
        ],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True,
        env={**clean_environment(free_domain()), "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(theirs)
    seen, end = "", time.monotonic() + GENEROUS
    try:
        while not all(re.search(p, seen) for p in (WORST, LIMITS)) and time.monotonic() < end:
            if select.select([ours], [], [], 1.0)[0]:
                seen += os.read(ours, 65536).decode(errors="replace")
    finally:
        process.terminate()
        while True:  # a full terminal would keep it from ending
            try:
                if not os.read(ours, 65536):
                    break
            except OSError:
                break
        process.wait()
        os.close(ours)
    before, drawn, _ = seen.partition("worst task")
    assert drawn
    assert re.search(START, before)
    assert re.search(WORST, seen)
    assert re.search(LIMITS, seen)


def test_a_terminal_that_a_launch_reads_shows_no_live_lines():
    """`ros2 launch` gives a pseudo terminal (`emulate_tty`) and copies it into its own output."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        assert stream.isatty()
        assert not StatusLines(stream).is_live
    os.close(ours)
