"""SimulationServer: a simulation in real time, served through shared memory."""

import gc
import os
import time

import numpy as np

from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.channel import ChannelError, ChannelReader, ChannelWriter
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.simulator_process import COMMAND, STATE, command_layout, state_layout

# [s] what a late simulation catches up, in one go and so without a new command: a few cycles of the
# servo are forgiven, a tenth of a second throws the robot. Time lost beyond is lost.
LARGEST_LAG = 0.005
HOUSEKEEPING_PERIOD = 0.05  # [s] between looks for a new servo and for the end of the parent


class SimulationServer:
    """Steps a simulation against absolute deadlines and owns its state channel.

    Measurements are stamped with the machine's monotonic clock, the servo's.

    Args:
        simulation: What to serve.
        channel: Name of the shared memory.
        real_time_factor: Simulated seconds per second.
        parent: Process whose end ends the server; `None` for none.

    Attributes:
        stopped: Set it to leave `run` after the present step.

    Raises:
        ChannelError: Another simulator owns the channel.
    """

    def __init__(
        self,
        simulation: Simulation,
        channel: str,
        *,
        real_time_factor: float = 1.0,
        parent: int | None = None,
    ) -> None:
        setup = simulation.setup
        self.stopped = False
        self._simulation = simulation
        self._factor = real_time_factor
        self._parent = parent
        self._command = CommandFrame(len(setup.command_names))
        self._commands = ChannelReader(
            f"{channel}.{COMMAND}", command_layout(setup), self._command.size
        )
        self._state = RobotState(setup.joint_names)
        self._states = ChannelWriter(
            f"{channel}.{STATE}", state_layout(setup), len(self._state.vector)
        )

    def run(self) -> None:
        """Serve until `stopped` or until the parent process has ended.

        Raises:
            RobotInterfaceError: The simulation diverged.
        """
        gc.collect()
        gc.disable()  # the loop makes no reference cycles: nothing to find, and no pauses
        try:
            self._run()
        finally:
            gc.enable()

    def close(self) -> None:
        """Give the channel up."""
        self._states.close()

    def _run(self) -> None:
        period = self._simulation.options.timestep / self._factor
        steps_between_looks = max(1, round(HOUSEKEEPING_PERIOD / period))
        steps = 0
        deadline = time.monotonic()
        while not self.stopped:
            if steps % steps_between_looks == 0:
                if self._parent is not None and os.getppid() != self._parent:
                    return
                if self._commands.silence > HOUSEKEEPING_PERIOD:
                    self._look_for_servo()
            steps += 1
            self._step()
            deadline += period
            ahead = deadline - time.monotonic()
            if ahead > 0.0:
                time.sleep(ahead)
            elif ahead < -LARGEST_LAG:
                deadline -= ahead

    def _step(self) -> None:
        simulation, state = self._simulation, self._state
        if self._commands.read(self._command.vector):
            simulation.apply_frame(self._command)
        simulation.step()
        arrived = simulation.latest()
        np.copyto(state.vector, arrived.vector)
        age = (simulation.time - arrived.stamp) / self._factor
        state.stamp = time.monotonic() - age
        self._states.write(state.vector)

    def _look_for_servo(self) -> None:
        try:
            self._commands.attach()
        except ChannelError:
            self._commands.detach()  # a servo of another robot: none for us
