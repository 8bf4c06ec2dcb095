"""The console command `controlit`."""

import atexit
import io
import os
import sys
from contextlib import suppress
from typing import NoReturn

NUMERICAL_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""Matrices of a robot are too small to share; helper threads would only disturb the servo."""

FAILURE = 1
INTERRUPTED = 130  # what shells report for a program that SIGINT ended


def console() -> NoReturn:
    """Run the command line of this process and end it, without taking the interpreter apart.

    By then everything is closed, and freeing compiled kernels and modules one by one would take
    about a second more after Ctrl-C.
    """
    code = FAILURE

    def leave() -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # full, closed or none at all
                stream.flush()
        os._exit(code)

    atexit.register(leave)  # before any other, so that it is called after them
    code = main()
    sys.exit(code)


def main(arguments: list[str] | None = None) -> int:
    """Run a command line and return the exit code of the process.

    Exit codes: 0 done, 1 failed with a message, 2 the command line is wrong, 130 interrupted.

    Args:
        arguments: What follows the name of the program; `None` for those of this process.
    """
    for variable in NUMERICAL_THREADS:  # before anything imports NumPy
        os.environ.setdefault(variable, "1")
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str]) -> int:
    from controlit_ros.cli import output  # noqa: PLC0415 - an early Ctrl-C ends quietly, too
    from controlit_ros.cli.application import application  # noqa: PLC0415
    from controlit_ros.cli.ros_arguments import without_ros_arguments  # noqa: PLC0415
    from controlit_ros.errors import ControlItError  # noqa: PLC0415

    arguments = without_ros_arguments(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an ASCII terminal shows what it can
    try:
        application(arguments)(args=arguments, prog_name="controlit")
    except SystemExit as end:
        code = end.code
    except ControlItError as error:
        output.error(str(error))
        code = FAILURE
    except output.ReaderGoneError:
        code = None
    if output.flush() and code is None:
        return 0
    return code if isinstance(code, int) else 0 if code is None else FAILURE


if __name__ == "__main__":
    console()
