"""The console command `controlit`."""

import atexit
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from controlit_ros.collections_of_garbage import look_seldom
from controlit_ros.signals import end_with_parent

if TYPE_CHECKING:
    from controlit_ros.ros_arguments import RosArguments

NUMERICAL_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""Matrices of a robot are too small to share; helper threads would only disturb the servo."""

FAILURE = 1
USAGE = 2
INTERRUPTED = 130  # what shells report for a program that SIGINT ended

_interrupted = threading.Event()


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

    # until there is something to end in order: libraries that are interrupted while they are
    # imported say odd things
    signal.signal(signal.SIGINT, _leave_at_once)
    end_with_parent()
    look_seldom()
    sys.unraisablehook = _tell_unless_interrupted
    atexit.register(leave)  # before any other, so that it is called after them
    code = main()
    sys.exit(code)


def _leave_at_once(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _interrupted.set()
    raise KeyboardInterrupt


def _tell_unless_interrupted(what: "sys.UnraisableHookArgs") -> None:
    """Say nothing of an interruption in a place whose exceptions nobody can catch."""
    if what.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(what)


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
    except Exception:
        if _interrupted.is_set():  # libraries make other errors of it
            return INTERRUPTED
        raise


def _run(arguments: list[str]) -> int:
    from controlit_ros.cli import output  # noqa: PLC0415 - an early Ctrl-C ends quietly, too
    from controlit_ros.cli.standard_streams import (  # noqa: PLC0415 - likewise
        open_missing_streams,
        replace_what_cannot_be_shown,
    )
    from controlit_ros.environment import variable_set  # noqa: PLC0415 - likewise
    from controlit_ros.ros_arguments import (  # noqa: PLC0415 - likewise
        VARIABLE,
        RosArgumentError,
        ros_arguments,
    )

    open_missing_streams()
    replace_what_cannot_be_shown()
    try:
        ros = ros_arguments(arguments)
        with variable_set(VARIABLE, ros.handed_on):
            return _obey(ros)
    except RosArgumentError as error:
        output.error(str(error))
        return USAGE


def _obey(ros: "RosArguments") -> int:
    from controlit_ros.cli import output  # noqa: PLC0415 - likewise
    from controlit_ros.cli.application import application  # noqa: PLC0415 - likewise
    from controlit_ros.errors import ControlItError  # noqa: PLC0415 - likewise

    try:
        command = application(ros.ours)
    except Exception as error:  # noqa: BLE001 - libraries without room or files raise anything
        output.error(f"the command cannot be loaded: {output.first_line(error)}")
        return FAILURE
    code: object
    try:
        if signal.getsignal(signal.SIGINT) is _leave_at_once:
            signal.signal(signal.SIGINT, _interrupt)
        command(args=list(ros.ours), prog_name="controlit", obj=ros)
        code = None
    except SystemExit as end:
        code = end.code
    except ControlItError as error:
        output.error(str(error))
        code = FAILURE
    except output.ReaderGoneError:
        code = None
    except (MemoryError, OSError, RuntimeError) as error:
        reason = output.refusal_of_the_machine(error)
        if reason is None:
            raise
        output.error(reason)
        code = FAILURE
    try:
        took_everything = output.flush()
    except ControlItError as error:
        output.error(str(error))
        return FAILURE
    if took_everything and code is None:
        return 0
    return code if isinstance(code, int) else 0 if code is None else FAILURE


if __name__ == "__main__":
    console()
