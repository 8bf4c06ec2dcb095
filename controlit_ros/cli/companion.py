"""companion: another command of controlit that runs beside this one."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence

from controlit_ros.cli.application import GROUP
from controlit_ros.errors import ControlItError
from controlit_ros.installed import plugins

CONTROLIT = (sys.executable, "-m", "controlit_ros.cli.main")
END_TIME = 5.0  # [s] to leave in order


def via(transport: str | None) -> list[str]:
    """Return the option that names a transport; nothing where the best there is shall be taken."""
    return [] if transport is None else ["--transport", transport]


@contextlib.contextmanager
def companion(command: str, arguments: Sequence[str] = ()) -> Iterator[None]:
    """Let a command run in a process of its own while the block lasts.

    It leads a session of its own, so Ctrl-C reaches only this process, which then ends it; it ends
    as well where this process is killed. Where it dies nothing else happens.

    Args:
        command: Its name, of a plugin; it takes `--parent`, the process that it ends with.
        arguments: What follows the name.

    Raises:
        ControlItError: There is no such command.
    """
    if command not in plugins(GROUP):
        raise ControlItError(f"there is no command {command!r}: nothing installed brings it")
    process = subprocess.Popen(  # noqa: S603 - our own module
        [*CONTROLIT, command, "--parent", str(os.getpid()), *arguments],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(END_TIME)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
