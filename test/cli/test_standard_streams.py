"""Commands end in order whatever their streams and limits are: a message, but no traceback."""

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from console_processes import CONTROLIT, ROOT, clean_environment
from patience import GENEROUS

from controlit_bench.free_domain import free_domain

pytestmark = pytest.mark.processes

FULL = Path("/dev/full")
COMMANDS = {
    "help": ["--help"],
    "version": ["--version"],
    "refused": ["check", "/none"],
    "unknown": ["chek"],
}
PLACES = {
    "stdout closed": (1,),
    "stderr closed": (2,),
    "both closed": (1, 2),
    "all closed": (0, 1, 2),
    "stdin closed": (0,),
}
CODES = {"help": 0, "version": 0, "refused": 1, "unknown": 2}


# ruff: noqa: PLW1509 - `preexec_fn` is what closes and limits, and no other thread runs here


def closing(descriptors):
    def close():
        for descriptor in descriptors:
            os.close(descriptor)

    return close


def start(arguments, **streams):
    return subprocess.Popen(
        [CONTROLIT, *map(str, arguments)],
        cwd=ROOT,
        env=clean_environment(free_domain()),
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        | streams,
    )


def ended(arguments, **streams):
    process = start(arguments, **streams)
    out, err = process.communicate(timeout=GENEROUS)
    text = ((out or b"") + (err or b"")).decode(errors="replace")
    for word in ("Traceback", "Exception ignored", "Error in sys"):
        assert word not in text, text
    return process.returncode, text


@pytest.mark.parametrize(
    ("command", "place"),
    [
        *(("help", place) for place in PLACES),
        ("refused", "stdout closed"),
        ("unknown", "all closed"),
    ],
)
def test_streams_that_are_closed_lead_nowhere(command, place):
    code, _ = ended(COMMANDS[command], preexec_fn=closing(PLACES[place]))
    assert code == CODES[command]


def test_closed_streams_are_not_taken_by_files():
    """What is printed must not go into a file that was opened later."""
    script = (
        "import os; from controlit_ros.cli.standard_streams import open_missing_streams as o;"
        "o(); print(os.open('/dev/null', os.O_RDONLY) > 2, file=open('/proc/self/fd/3', 'w'))"
    )
    read, write = os.pipe()
    assert write > 3

    def prepare():
        os.dup2(write, 3)
        closing((0, 1, 2))()

    done = subprocess.Popen(
        [sys.executable, "-c", script], preexec_fn=prepare, pass_fds=(3, write), cwd=ROOT
    )
    os.close(write)
    assert done.wait(GENEROUS) == 0
    assert os.read(read, 100) == b"True\n"
    os.close(read)


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("command", "full"),
    [
        ("help", ("stdout",)),
        ("version", ("stdout", "stderr")),
        ("refused", ("stdout",)),
        ("refused", ("stderr",)),
        ("unknown", ("stdout",)),
    ],
)
def test_devices_that_are_full_are_told_in_one_line(command, full):
    with FULL.open("wb") as device:
        code, text = ended(COMMANDS[command], **dict.fromkeys(full, device))
    writes = command != "unknown" and "stdout" in full
    assert code == (1 if writes else CODES[command])
    if writes and "stderr" not in full:
        assert "No space left on device" in text
        assert len(text.splitlines()) == 1


@pytest.mark.parametrize("megabytes", [150, 300])
def test_too_little_memory_is_told_without_a_traceback(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    code, text = ended(["check", "config/trikey/drive.yaml"], preexec_fn=limit)
    assert code in (0, 1, 126, 127) or code < 0  # the loader itself may give up
    assert text.strip() or code == 0 or code < 0


@pytest.fixture
def not_ignored(number):
    """Let children begin without what nohup told the tests to ignore; handlers end at exec."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)
    yield
    signal.signal(number, before)


def interrupted(arguments, number, delay):
    process = start(arguments)
    time.sleep(delay)
    process.send_signal(number)
    out, err = process.communicate(timeout=GENEROUS)
    return process.returncode, (out + err).decode()


@pytest.mark.parametrize(
    ("number", "delay"),
    [
        (signal.SIGINT, 0.2),
        (signal.SIGINT, 0.4),
        (signal.SIGINT, 1.0),
        (signal.SIGTERM, 0.4),
        (signal.SIGHUP, 0.4),
    ],
)
def test_a_signal_soon_after_the_start_says_nothing_odd(number, delay, not_ignored):
    arguments = ["run", "config/trikey/drive.yaml", "--set", "robot_interface.mode=in_process"]
    code, text = interrupted(arguments, number, delay)
    while "Traceback" in text and "in console" not in text:  # Python had not come to it yet
        delay *= 2.0
        code, text = interrupted(arguments, number, delay)
    assert code in (0, 130, -number), (code, text)
    for word in ("Traceback", "Exception ignored", "Error"):
        assert word not in text, text


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_a_run_that_nobody_can_read_ends_in_order():
    simulated = ["servo_clock_type=Simulated", "robot_interface.mode=in_process"]
    options = [word for setting in simulated for word in ("--set", setting)]
    arguments = ["run", "config/trikey/drive.yaml", *options, "--duration", "0.05"]
    with FULL.open("wb") as device:
        code, text = ended([*arguments, "--transport", "local"], stdout=device)
    assert code == 1
    assert "the standard output cannot be written: No space left on device" in text


def test_a_terminal_that_was_closed_reads_no_more():
    """Its end is told by SIGHUP; what is written meanwhile is no error of an output."""
    program = (
        "import sys\n"
        "from controlit_ros.cli import output\n"
        "sys.stdin.readline()\n"
        "try:\n"
        "    output.text('x')\n"
        "except output.ReaderGoneError:\n"
        "    sys.exit(7)\n"
    )
    master, slave = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=slave
    ) as command:
        os.close(slave)
        os.close(master)
        command.communicate(b"\n", timeout=60.0)
    assert command.returncode == 7


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_file_on_a_full_disk_is_not_taken_for_the_standard_output(number):
    program = (
        "from controlit_ros.cli import output\n"
        f"print(output.refusal_of_the_machine(OSError({number}, 'no room')))\n"
        f"print(output.refusal_of_the_machine(OSError({number}, 'no room', 'a.png')))\n"
    )
    text = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, check=True, timeout=GENEROUS
    ).stdout.decode()
    assert text.splitlines() == ["a file cannot be written: no room", "a.png: no room"]
