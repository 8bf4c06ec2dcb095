"""SimulationParameters: the parameters that say how a robot is simulated."""

from pathlib import Path
from typing import Any

from controlit_ros.parameters import Kind, Parameter
from controlit_ros.resource import ResourceError, resolve_resource
from controlit_ros.robots.robot_interface import RobotInterface, RobotInterfaceError
from controlit_ros.robots.scene import check_scene
from controlit_ros.robots.simulation_options import SimulationOptions


class SimulationParameters:
    """Declares for a robot interface all that `SimulationOptions` has.

    Args:
        owner: Gets the parameters.
    """

    def __init__(self, owner: RobotInterface) -> None:
        self._owner = owner
        self._setup = owner.setup
        self._declare_physics()
        self._declare_noise()
        self._declare_drives()
        self._declare_surroundings()
        self._declare_start_of_base()

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

    def _scene_file(self) -> str:
        reference = self._scene.value
        if not reference:
            return ""
        try:
            path = resolve_resource(reference, Path(self._setup.folder))
        except ResourceError as error:
            raise RobotInterfaceError(f"scene: {error}") from None
        check_scene(path)
        return str(path.absolute())

    def _declare_physics(self) -> None:
        self._timestep = self._owner.declare_setting(
            "timestep", 0.001, "Step of the physics.", unit="s", lower=1e-5, upper=0.02
        )
        self._initial_position = self._declare_by_joint(
            "initial_position",
            "Posture at the start; of a joint not named, where in its range it is nearest to zero.",
            default=self._setup.rest_position or 0.0,
            unit="rad or m",
        )
        self._joint_damping = self._declare_by_joint(
            "joint_damping", "Viscous friction of the joints.", unit="N m s/rad or N s/m", lower=0.0
        )
        self._joint_friction = self._declare_by_joint(
            "joint_friction", "Dry friction of the joints.", unit="N m or N", lower=0.0
        )

    def _declare_noise(self) -> None:
        self._position_noise = self._owner.declare_setting(
            "position_noise",
            0.0,
            "Standard deviation of measured positions.",
            unit="rad or m",
            lower=0.0,
        )
        self._velocity_noise = self._owner.declare_setting(
            "velocity_noise",
            0.0,
            "Standard deviation of measured velocities.",
            unit="rad/s or m/s",
            lower=0.0,
        )
        self._wrench_noise = self._owner.declare_setting(
            "wrench_noise",
            0.0,
            "Standard deviation of sensed forces and moments of contacts.",
            shape=(2,),
            labels=("force", "moment"),
            broadcast=True,
            unit="N, N m",
            lower=0.0,
        )
        self._imu_noise = self._owner.declare_setting(
            "imu_noise",
            0.0,
            "Standard deviation of what the inertial measurement unit of an estimation measures.",
            shape=(2,),
            labels=("angular_velocity", "acceleration"),
            broadcast=True,
            unit="rad/s, m/s²",
            lower=0.0,
        )
        self._imu_bias = self._owner.declare_setting(
            "imu_bias",
            0.0,
            "What it adds, angular velocity and then acceleration, in its own axes.",
            shape=(6,),
            broadcast=True,
            unit="rad/s, m/s²",
        )
        self._seed = self._owner.declare_setting(
            "seed", 0, "Seed of the noise.", kind=Kind.INTEGER, lower=0
        )

    def _declare_drives(self) -> None:
        self._communication_delay = self._owner.declare_setting(
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
        self._command_timeout = self._owner.declare_setting(
            "command_timeout",
            0.1,
            "Drives without a new command for so long fall back to damping without effort.",
            unit="s",
            lower=0.0,
        )
        self._fallback_damping = self._owner.declare_setting(
            "fallback_damping",
            5.0,
            "Damping of drives that have fallen back.",
            unit="N m s/rad or N s/m",
            lower=0.0,
        )

    def _declare_surroundings(self) -> None:
        self._collisions = self._owner.declare_setting(
            "collisions",
            False,
            "Whether links collide, except neighbours.",
        )
        self._scene = self._owner.declare_setting(
            "scene",
            "",
            "MJCF file of what surrounds the robot: package://, file:// or a path relative to the "
            "configuration. Bodies named like a link are fixed to it.",
        )
        self._floor = self._owner.declare_setting(
            "floor",
            False,
            "Whether there is a floor at height 0, with soles and balls where contact constraints "
            "say that the robot touches the world.",
        )
        self._place_on_floor = self._owner.declare_setting(
            "place_on_floor",
            False,
            "Whether a floating root link starts so high that the robot's lowest shape touches "
            "height 0, whatever initial_base_position says of the height.",
        )

    def _declare_start_of_base(self) -> None:
        self._initial_base_position = self._owner.declare_setting(
            "initial_base_position",
            0.0,
            "Where a floating root link starts, in the world.",
            shape=(3,),
            broadcast=True,
            unit="m",
        )
        self._initial_base_orientation = self._owner.declare_setting(
            "initial_base_orientation",
            (0.0, 0.0, 0.0, 1.0),
            "How a floating root link is turned at the start, xyzw.",
            shape=(4,),
            unit_length=True,
        )

    def _declare_by_joint(
        self, name: str, description: str, *, default: Any = 0.0, **properties: Any
    ) -> Parameter:
        return self._owner.declare_setting(
            name,
            default,
            description,
            shape=(len(self._setup.joint_names),),
            labels=self._setup.joint_names,
            broadcast=True,
            **properties,
        )
