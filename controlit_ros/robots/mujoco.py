"""MuJoCo: a simulated robot."""

from pathlib import Path
from typing import Any, TypeAlias

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.parameters import Access, Kind, Parameter
from controlit_ros.resource import ResourceError, resolve_resource
from controlit_ros.robots.in_process_simulator import InProcessSimulator, steps_per_cycle
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.robot_interface import RobotInterface, RobotInterfaceError, RobotSetup
from controlit_ros.robots.scene import check_scene
from controlit_ros.robots.shared_memory import default_channel
from controlit_ros.robots.simulation_options import SimulationOptions
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
        self.scene_bodies: tuple[str, ...] = ()
        self._mode = self._declare(
            "mode",
            PROCESS,
            "Whether the simulation runs in real time in its own process or steps with the servo.",
            choices=(PROCESS, IN_PROCESS),
        )
        self._timestep = self._declare(
            "timestep", 0.001, "Step of the physics.", unit="s", lower=1e-5, upper=0.02
        )
        self._initial_position = self._declare_by_joint(
            "initial_position",
            "Posture at the start; of a joint not named, where in its range it is nearest to zero.",
            default=setup.rest_position or 0.0,
            unit="rad or m",
        )
        self._joint_damping = self._declare_by_joint(
            "joint_damping", "Viscous friction of the joints.", unit="N m s/rad or N s/m", lower=0.0
        )
        self._joint_friction = self._declare_by_joint(
            "joint_friction", "Dry friction of the joints.", unit="N m or N", lower=0.0
        )
        self._position_noise = self._declare(
            "position_noise",
            0.0,
            "Standard deviation of measured positions.",
            unit="rad or m",
            lower=0.0,
        )
        self._velocity_noise = self._declare(
            "velocity_noise",
            0.0,
            "Standard deviation of measured velocities.",
            unit="rad/s or m/s",
            lower=0.0,
        )
        self._wrench_noise = self._declare(
            "wrench_noise",
            0.0,
            "Standard deviation of sensed forces and moments of contacts.",
            shape=(2,),
            labels=("force", "moment"),
            broadcast=True,
            unit="N, N m",
            lower=0.0,
        )
        self._imu_noise = self._declare(
            "imu_noise",
            0.0,
            "Standard deviation of what the inertial measurement unit of an estimation measures.",
            shape=(2,),
            labels=("angular_velocity", "acceleration"),
            broadcast=True,
            unit="rad/s, m/s²",
            lower=0.0,
        )
        self._imu_bias = self._declare(
            "imu_bias",
            0.0,
            "What it adds, angular velocity and then acceleration, in its own axes.",
            shape=(6,),
            broadcast=True,
            unit="rad/s, m/s²",
        )
        self._seed = self._declare("seed", 0, "Seed of the noise.", kind=Kind.INTEGER, lower=0)
        self._communication_delay = self._declare(
            "communication_delay",
            0.0,
            "Age of a state or a command when it arrives, rounded to timesteps.",
            shape=(2,),
            labels=("state", "command"),
            broadcast=True,
            unit="s",
            lower=0.0,
            upper=1.0,
        )
        self._command_timeout = self._declare(
            "command_timeout",
            0.1,
            "Drives without a new command for so long fall back to damping without effort.",
            unit="s",
            lower=0.0,
        )
        self._fallback_damping = self._declare(
            "fallback_damping",
            5.0,
            "Damping of drives that have fallen back.",
            unit="N m s/rad or N s/m",
            lower=0.0,
        )
        self._collisions = self._declare(
            "collisions",
            False,
            "Whether links collide, except neighbours.",
        )
        self._scene = self._declare(
            "scene",
            "",
            "MJCF file of what surrounds the robot: package://, file:// or a path relative to the "
            "configuration. Bodies named like a link are fixed to it.",
        )
        self._floor = self._declare(
            "floor",
            False,
            "Whether there is a floor at height 0, with soles and balls where contact constraints "
            "say that the robot touches the world.",
        )
        self._place_on_floor = self._declare(
            "place_on_floor",
            False,
            "Whether a floating root link starts so high that the robot's lowest shape touches "
            "height 0, whatever initial_base_position says of the height.",
        )
        self._initial_base_position = self._declare(
            "initial_base_position",
            0.0,
            "Where a floating root link starts, in the world.",
            shape=(3,),
            broadcast=True,
            unit="m",
        )
        self._initial_base_orientation = self._declare(
            "initial_base_orientation",
            (0.0, 0.0, 0.0, 1.0),
            "How a floating root link is turned at the start, xyzw.",
            shape=(4,),
            unit_length=True,
        )
        self._real_time_factor = self._declare(
            "real_time_factor",
            1.0,
            "Speed of simulated time in mode process.",
            lower=0.001,
            upper=100.0,
        )
        self._lock_step = self._declare(
            "lock_step",
            False,
            "Whether a simulator that another interface joins waits for each command and then "
            "advances by one servo period, instead of running in real time.",
        )
        self._respawn = self._declare(
            "respawn",
            True,
            "Whether a simulator process that died is started again.",
        )
        self._publish_clock = self._declare(
            "publish_clock",
            False,
            "Whether mode process publishes simulated time on /clock, for a servo clock and for "
            "nodes of ROS 2 with use_sim_time.",
        )
        self._channel = self._declare(
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

    def options(self) -> SimulationOptions:
        """Return the parameters in the form the simulation takes.

        Raises:
            RobotInterfaceError: There is no such scene.
        """
        state_delay, command_delay = self._communication_delay.value.tolist()
        force_noise, moment_noise = self._wrench_noise.value.tolist()
        rate_noise, acceleration_noise = self._imu_noise.value.tolist()
        bias = self._imu_bias.value.tolist()
        return SimulationOptions(
            initial_position=tuple(self._initial_position.value.tolist()),
            joint_damping=tuple(self._joint_damping.value.tolist()),
            joint_friction=tuple(self._joint_friction.value.tolist()),
            timestep=self._timestep.value,
            position_noise=self._position_noise.value,
            velocity_noise=self._velocity_noise.value,
            force_noise=force_noise,
            moment_noise=moment_noise,
            rate_noise=rate_noise,
            acceleration_noise=acceleration_noise,
            rate_bias=tuple(bias[:3]),
            acceleration_bias=tuple(bias[3:]),
            seed=self._seed.value,
            state_delay=state_delay,
            command_delay=command_delay,
            command_timeout=self._command_timeout.value,
            fallback_damping=self._fallback_damping.value,
            collisions=self._collisions.value,
            scene=self._scene_file(),
            floor=self._floor.value,
            place_on_floor=self._place_on_floor.value,
            initial_base_position=tuple(self._initial_base_position.value.tolist()),
            initial_base_orientation=tuple(self._initial_base_orientation.value.tolist()),
        )

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

    def _scene_file(self) -> str:
        reference = self._scene.value
        if not reference:
            return ""
        try:
            path = resolve_resource(reference, Path(self.setup.folder))
        except ResourceError as error:
            raise RobotInterfaceError(f"scene: {error}") from None
        check_scene(path)
        return str(path.absolute())

    def _configured(self) -> Simulator:
        if self._simulator is None:
            raise RobotInterfaceError(f"{self.name} is not configured")
        return self._simulator

    def _declare(self, name: str, default: Any, description: str, **properties: Any) -> Parameter:
        return self.declare(
            name, default, description=description, access=Access.CONFIGURATION, **properties
        )

    def _declare_by_joint(
        self, name: str, description: str, *, default: Any = 0.0, **properties: Any
    ) -> Parameter:
        return self._declare(
            name,
            default,
            description,
            shape=(len(self.setup.joint_names),),
            labels=self.setup.joint_names,
            broadcast=True,
            **properties,
        )
