"""MuJoCo: a simulated robot."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.in_process_simulator import InProcessSimulator, steps_per_cycle
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.robot_interface import RobotInterface, RobotInterfaceError, RobotSetup
from controlit_ros.robots.scene_channel import SceneReader
from controlit_ros.robots.shared_memory import default_channel
from controlit_ros.robots.simulated_scene import POSE_SIZE, SimulatedScene
from controlit_ros.robots.simulation_options import SimulationOptions
from controlit_ros.robots.simulation_parameters import SimulationParameters
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.robots.simulator_process import SimulatorProcess

IN_PROCESS = "in_process"
PROCESS = "process"


Simulator: TypeAlias = InProcessSimulator | SimulatorProcess


class MuJoCo(RobotInterface):
    """Simulates the robot with MuJoCo, in one of two modes.

    * `process`: the physics run in a process of their own in real time and exchange the latest
      state and command with the servo through shared memory. `read` returns False between two
      measurements and while the simulator is away; when it comes back it is picked up again.
      `RobotState.stamp` is the monotonic clock of the machine, or simulated time where that is
      published on `/clock`.
    * `in_process`: the physics advance by one servo period with every `write`. Deterministic.
      `RobotState.stamp` is simulated time.

    See `Simulation` for the behaviour of the drives and sensors.

    Attributes:
        scene_bodies: Names of the bodies of the scene that move freely, once configured.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._simulator: Simulator | None = None
        self._start: RobotState | None = None
        self._scene_reader: SceneReader | None = None
        self.scene_bodies: tuple[str, ...] = ()
        self._mode = self.declare_setting(
            "mode",
            PROCESS,
            "Whether the simulation runs in real time in its own process or steps with the servo.",
            choices=(PROCESS, IN_PROCESS),
        )
        self._simulated = SimulationParameters(self)
        self._real_time_factor = self.declare_setting(
            "real_time_factor",
            1.0,
            "Speed of simulated time in mode process.",
            lower=0.001,
            upper=100.0,
        )
        self._lock_step = self.declare_setting(
            "lock_step",
            False,
            "Whether a simulator that another interface joins waits for each command and then "
            "advances by one servo period, instead of running in real time.",
        )
        self._respawn = self.declare_setting(
            "respawn",
            True,
            "Whether a simulator process that died is started again.",
        )
        self._publish_clock = self.declare_setting(
            "publish_clock",
            False,
            "Whether mode process publishes simulated time on /clock, for a servo clock and for "
            "nodes of ROS 2 with use_sim_time.",
        )
        self._channel = self.declare_setting(
            "channel",
            default_channel(setup),
            "Name of the shared memory; controllers with the same name share a simulator.",
        )

    @property
    def simulation(self) -> Simulation:
        """The physics, in mode `in_process` once configured.

        Raises:
            RobotInterfaceError: They run elsewhere or not yet.
        """
        if not isinstance(self._simulator, InProcessSimulator):
            raise RobotInterfaceError("the simulation is not running in this process")
        return self._simulator.simulation

    @property
    def channel(self) -> str:
        """Name of the shared memory that joins servo and simulator process."""
        return str(self._channel.value)

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second in mode `process`."""
        return float(self._real_time_factor.value)

    @property
    def lock_step(self) -> bool:
        """Whether a simulator process waits for each command."""
        return bool(self._lock_step.value)

    @property
    def steps_per_cycle(self) -> int:
        """Timesteps in a servo period.

        Raises:
            RobotInterfaceError: They are not a whole number.
        """
        return steps_per_cycle(self.setup, self.options())

    @property
    def publishes_clock(self) -> bool:
        """Whether mode `process` publishes `/clock`."""
        return bool(self._publish_clock.value)

    @property
    def scene(self) -> SimulatedScene | None:
        """The scene of the simulation, if it has one."""
        return self if self.scene_file else None

    @property
    def scene_file(self) -> str:
        """The MJCF file of the scene, or nothing."""
        return self.options().scene

    def scene_poses(self) -> Mapping[str, Array]:
        """Return where the bodies of the scene are, `(POSE_SIZE,)` each; empty without news."""
        bodies = self.scene_bodies
        if not bodies:
            return {}
        if isinstance(self._simulator, InProcessSimulator):
            poses = np.zeros((len(bodies), POSE_SIZE))
            self._simulator.simulation.scene_poses(poses)
            return dict(zip(bodies, poses, strict=True))
        if self._scene_reader is None:
            self._scene_reader = SceneReader(bodies, self.channel)
        return self._scene_reader.read() or {}

    def options(self) -> SimulationOptions:
        """Return the parameters in the form the simulation takes.

        Raises:
            RobotInterfaceError: There is no such scene.
        """
        return self._simulated.options()

    def start_state(self) -> RobotState:
        """Return the state in which the simulated robot begins, without noise.

        Raises:
            RobotInterfaceError: The robot cannot be simulated with these parameters.
        """
        if self._start is None:
            self._start = Simulation(self.setup, self.options()).initial_state()
        return self._start

    def configure(self) -> None:
        """Build the simulation, in mode `process` only to find out whether it can be built.

        Raises:
            RobotInterfaceError: The robot cannot be simulated with these parameters.
        """
        options = self.options()
        if self._mode.value == IN_PROCESS:
            in_process = InProcessSimulator(self.setup, options)
            self._simulator = in_process
            simulation = in_process.simulation
        else:
            simulation = Simulation(self.setup, options)
            values = {name: p.snapshot() for name, p in self.parameters.items()}
            description = SimulatorDescription(self.setup, values)
            self._simulator = SimulatorProcess(
                description, self.channel, respawn=self._respawn.value
            )
        self._start = simulation.initial_state()
        self.scene_bodies = simulation.scene_bodies

    def activate(self) -> None:
        """Start the simulator process, or join one that is running under the same channel name.

        Raises:
            RobotInterfaceError: The simulator does not start.
        """
        self._configured().activate()

    def read(self, state: RobotState) -> bool:
        """Write the latest measurement into `state`; return whether it is a new one."""
        return self._configured().read(state)

    def explain(self) -> str:
        """Say what is wrong with the simulator process."""
        return self._configured().explain()

    def write(self, command: Command) -> None:
        """Send a command; in mode `in_process` also let one servo period pass."""
        self._configured().write(command)

    def deactivate(self) -> None:
        """Disconnect, and end the simulator process if this interface started it."""
        if self._simulator is not None:
            self._simulator.deactivate()

    def _configured(self) -> Simulator:
        if self._simulator is None:
            raise RobotInterfaceError(f"{self.name} is not configured")
        return self._simulator
