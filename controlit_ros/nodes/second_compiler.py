"""SecondCompiler: on a new machine two processes compile the kernels of a controller."""

import os
import signal
import threading
from contextlib import suppress
from typing import NoReturn

from controlit_ros.kernels.compiler_lock import CompilerLock
from controlit_ros.kernels.constrain import constrain
from controlit_ros.kernels.kernel_cache import lacks_machine_code
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.warm_up import warm_up_apart
from controlit_ros.signals import ENDING


class SecondCompiler:
    """A process that compiles what a warm-up needs, the largest kernels first, until it is ended.

    The first process puts the servo together meanwhile, and then finds them on disk or waits for
    the one that is under way. Where the second fails or cannot be started, the first compiles
    everything. It is a context manager that starts it where there is something to compile, and no
    thread that a fork would leave.

    Args:
        stack: The controller; nothing in it is shared with another process yet.
    """

    def __init__(self, stack: ControllerStack) -> None:
        self._stack = stack
        self._pid = 0

    def end(self) -> None:
        """End the process, whatever it compiles; idempotent."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)  # not reaped yet, so the number is its own
            os.waitpid(self._pid, 0)
            self._pid = 0

    def __enter__(self) -> "SecondCompiler":  # noqa: PYI034 - typing.Self needs Python 3.11
        if threading.active_count() == 1 and lacks_machine_code(constrain):
            with suppress(OSError):  # no room for it
                self._pid = os.fork()
                if not self._pid:
                    _compile(self._stack)
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()


def _compile(stack: ControllerStack) -> NoReturn:
    """Compile and leave, without a word and whatever happens."""
    try:
        for number in ENDING:
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        CompilerLock.waits = False  # what the other one is at, it leaves to that
        warm_up_apart(stack)
    finally:
        os._exit(0)
