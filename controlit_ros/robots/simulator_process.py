"""SimulatorProcess: the servo's side of a simulator in another process."""

import contextlib
import os
import subprocess
import sys
import threading
import time

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.channel import remove_channels_of
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.robot_interface import RobotInterfaceError
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.running_thread import running_thread

START_PATIENCE = 60.0  # [s] loading Python takes a second, on a very busy machine more than twenty
SUPERVISION_PERIOD = 0.02  # [s] how soon a simulator that came back is picked up
FIRST_PAUSE = 0.5  # [s] before a dead simulator is started again
LONGEST_PAUSE = 10.0  # [s] between starts of a simulator that dies each time
HEALTHY_AGE = 5.0  # [s] a simulator that lived so long starts counting from the first pause again
STOP_PATIENCE = 2.0  # [s] between asking the simulator to end and ending it


class SimulatorProcess:
    """Exchanges states and commands with a simulator through shared memory.

    A supervisor thread starts the simulator, starts it again when it died, and attaches to
    whichever simulator owns the channel: a user may start one by hand. The servo thread only
    copies memory.

    Args:
        description: What to simulate.
        channel: Name of the shared memory.
        respawn: Whether to start a simulator again that died.
    """

    def __init__(self, description: SimulatorDescription, channel: str, *, respawn: bool) -> None:
        setup = description.setup
        self._description = description
        self._respawn = respawn
        self._state = setup.create_state()
        self._command = CommandFrame(len(setup.command_names))
        self._link = ChannelLink(channel, state_layout(setup), command_layout(setup))
        self._child: subprocess.Popen[str] | None = None
        self._child_started = 0.0
        self._pause = FIRST_PAUSE
        self._due: float | None = None
        self._stop = threading.Event()
        self._supervisor: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """Process of the simulator that this object started, if it runs."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def activate(self) -> None:
        """Join a running simulator or start one, and wait for its first sign of life.

        Raises:
            RobotInterfaceError: The simulator does not start, or the channel is taken.
        """
        if self._supervisor is not None:
            return
        try:
            self._link.open()
            self._connect()
        except RobotInterfaceError:
            self.deactivate()
            raise
        self._stop.clear()
        self._supervisor = running_thread(self._supervise, "simulator supervisor")

    def read(self, state: RobotState) -> bool:
        """Write the latest measurement into `state`; return whether it is a new one."""
        if not self._link.receive(self._state.vector):
            return False
        state.copy_from(self._state)
        return True

    def write(self, command: Command) -> None:
        """Leave a command for the simulator."""
        self._command.pack(command)
        self._link.send(self._command.vector)

    def explain(self) -> str:
        """Say what is wrong with the simulator."""
        return self._link.explain()

    def deactivate(self) -> None:
        """End the simulator if it is ours, and give the channels up."""
        self._stop.set()
        if self._supervisor is not None:
            self._supervisor.join()
            self._supervisor = None
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(STOP_PATIENCE)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
                remove_channels_of(self._child.pid)
            self._child = None
        self._link.close()

    def _connect(self) -> None:
        if self._link.tend():
            return
        if not self._link.is_foreign:
            self._start()
        deadline = time.monotonic() + START_PATIENCE
        while not self._link.tend():
            if self._link.is_foreign:
                raise RobotInterfaceError(self._link.explain())
            assert self._child is not None
            code = self._child.poll()
            if code is not None:
                raise RobotInterfaceError(f"the simulator process ended with exit code {code}")
            if time.monotonic() > deadline:
                raise RobotInterfaceError(
                    f"the simulator process gave no sign of life for {START_PATIENCE:g} s"
                )
            time.sleep(SUPERVISION_PERIOD)

    def _supervise(self) -> None:
        while not self._stop.wait(SUPERVISION_PERIOD):
            if self._link.tend() or self._link.is_foreign:  # a foreign one has to leave by itself
                self._due = None
            elif self._respawn:
                self._start_when_due()

    def _start_when_due(self) -> None:
        now = time.monotonic()
        if self._child is not None:
            if self._child.poll() is None:
                return  # on its way
            healthy = now - self._child_started > HEALTHY_AGE
            self._pause = FIRST_PAUSE if healthy else min(2.0 * self._pause, LONGEST_PAUSE)
            self._child = None
        if self._due is None:
            self._due = now + self._pause
        elif now >= self._due:
            self._due = None
            self._start()

    def _start(self) -> None:
        """Start a simulator; in a session of its own, so that Ctrl-C reaches only the servo."""
        self._child_started = time.monotonic()
        self._child = subprocess.Popen(
            [sys.executable, "-m", "controlit_ros.nodes.simulator"],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._child.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._child.stdin as stdin:
            # whoever starts it, not whoever described it: the servo may have a process of its own
            stdin.write(self._description._replace(parent=os.getpid()).to_json())
