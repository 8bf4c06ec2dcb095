"""SimulationServer: a simulation served to a servo in another process."""

import gc
import os
import time
from collections.abc import Callable

import numpy as np

from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.link import Link
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.push_channel import PushReader
from controlit_ros.robots.scene_channel import SceneWriter

# [s] what a late simulation catches up, in one go and so without a new command: a few cycles of the
# servo are forgiven, a tenth of a second throws the robot. Time lost beyond is lost.
LARGEST_LAG = 0.005
HOUSEKEEPING_PERIOD = 0.05  # [s] between looks for a new servo and for the end of the parent
REPETITION_PERIOD = 0.02  # [s] between two times a waiting simulation tells where it is


class SimulationServer:
    """Steps a simulation and exchanges states and commands with a servo through a link.

    In real time it steps against absolute deadlines, and measurements are stamped with the
    machine's monotonic clock, the servo's, or with simulated time where that is told. In lock step
    it waits for each command, advances by one servo period and answers with a measurement, stamped
    with simulated time: the same commands give the same motion, however busy the machine is.

    Args:
        simulation: What to serve.
        link: To the servo; opened by `run`.
        real_time_factor: Simulated seconds per second.
        lock_step: Timesteps for each command; 0 for real time.
        parent: Process whose end ends the server; `None` for none.
        tell_time: Takes the simulated time [s], once a servo period and after the measurement.
        scene: Tells where the bodies of the scene are; `None` without any.
        pushes: Lets others disturb the robot; `None`: nobody can.

    Attributes:
        stopped: Set it to leave `run` after the present step.
    """

    def __init__(
        self,
        simulation: Simulation,
        link: Link,
        *,
        real_time_factor: float = 1.0,
        lock_step: int = 0,
        parent: int | None = None,
        tell_time: Callable[[float], None] | None = None,
        scene: SceneWriter | None = None,
        pushes: PushReader | None = None,
    ) -> None:
        setup = simulation.setup
        self.stopped = False
        self._simulation = simulation
        self._link = link
        self._factor = real_time_factor
        self._steps_per_command = lock_step
        self._parent = parent
        self._tell_time = tell_time
        self._scene = scene
        self._pushes = pushes
        servo_period = 1.0 / setup.servo_frequency
        self._steps_between_times = max(1, round(servo_period / simulation.options.timestep))
        self._steps = 0
        self._command = CommandFrame(len(setup.command_names))
        self._state = setup.create_state()

    def run(self) -> None:
        """Serve until `stopped` or until the parent process has ended.

        Raises:
            RobotInterfaceError: The link is taken, or the simulation diverged.
        """
        self._link.open()
        gc.collect()
        gc.disable()  # the loop makes no reference cycles: nothing to find, and no pauses
        try:
            if self._steps_per_command:
                self._run_in_lock_step()
            else:
                self._run_in_real_time()
        finally:
            gc.enable()
            self._link.close()

    def _run_in_real_time(self) -> None:
        period = self._simulation.options.timestep / self._factor
        steps_between_looks = max(1, round(HOUSEKEEPING_PERIOD / period))
        deadline = time.monotonic()
        while not self.stopped:
            if self._steps % steps_between_looks == 0:
                if self._is_orphan():
                    return
                self._tend()
            self._steps += 1
            self._step()
            deadline += period
            ahead = deadline - time.monotonic()
            if ahead > 0.0:
                time.sleep(ahead)
            elif ahead < -LARGEST_LAG:
                deadline -= ahead
                if -ahead > self._simulation.options.command_timeout:
                    self._link.receive(self._command.vector)  # of before it stood still itself

    def _step(self) -> None:
        simulation, state = self._simulation, self._state
        if self._link.receive(self._command.vector):
            simulation.apply_frame(self._command)
        self._take_pushes()
        simulation.step()
        arrived = simulation.latest()
        np.copyto(state.vector, arrived.vector)
        if self._tell_time is None:
            age = (simulation.time - arrived.stamp) / self._factor
            state.stamp = time.monotonic() - age
        self._send(state)
        if self._tell_time is not None and self._steps % self._steps_between_times == 0:
            self._tell_time(simulation.time)

    def _run_in_lock_step(self) -> None:
        simulation, link = self._simulation, self._link
        looked = 0.0
        while not self.stopped and not self._is_orphan():
            now = time.monotonic()
            if now - looked > HOUSEKEEPING_PERIOD:
                looked = now
                self._tend()
            if not link.receive(self._command.vector):
                link.wait(REPETITION_PERIOD)
                if not link.receive(self._command.vector):
                    link.send(simulation.latest().vector)  # for servos that come late
                    continue
            simulation.apply_frame(self._command)
            self._take_pushes()
            for _ in range(self._steps_per_command):
                simulation.step()
            self._send(simulation.latest())
            if self._tell_time is not None:
                self._tell_time(simulation.time)

    def _tend(self) -> None:
        """Do what need not be done at every step."""
        self._link.tend()
        if self._pushes is not None:
            self._pushes.look_for_writer()

    def _send(self, state: RobotState) -> None:
        self._link.send(state.vector)
        if self._scene is not None:
            self._scene.write()

    def _take_pushes(self) -> None:
        if self._pushes is not None:
            self._pushes.apply()

    def _is_orphan(self) -> bool:
        return self._parent is not None and os.getppid() != self._parent
