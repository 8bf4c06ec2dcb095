"""SimulationOptions: everything about a simulation that is not the robot itself."""

from typing import NamedTuple


class SimulationOptions(NamedTuple):
    """How to simulate a robot; joint values stand in the order of `RobotSetup.joint_names`.

    Attributes:
        initial_position: Posture at the start [rad or m].
        joint_damping: Viscous friction of the joints [N m s/rad or N s/m].
        joint_friction: Dry friction of the joints [N m or N].
        timestep: Step of the physics [s].
        position_noise: Standard deviation of measured positions [rad or m].
        velocity_noise: Standard deviation of measured velocities [rad/s or m/s].
        force_noise: Standard deviation of sensed forces [N].
        moment_noise: Standard deviation of sensed moments [N m].
        rate_noise: Standard deviation of measured angular velocities of the unit [rad/s].
        acceleration_noise: The same of specific forces [m/s²].
        rate_bias: `(3,)` what the unit adds to angular velocities [rad/s].
        acceleration_bias: `(3,)` what it adds to specific forces [m/s²].
        seed: Seed of the noise.
        state_delay: Age of a measurement when it arrives [s].
        command_delay: Age of a command when it takes effect [s].
        command_timeout: Drives without a new command for so long fall back to damping [s].
        fallback_damping: Damping of drives that have fallen back [N m s/rad or N s/m].
        collisions: Whether links that are not neighbours collide.
        scene: File of what surrounds the robot (`add_scene`); empty: nothing.
        floor: Whether there is a floor, z = 0, and shapes on the feet to stand on it (`add_floor`).
        place_on_floor: Whether a floating root link starts where its lowest shape touches z = 0.
        initial_base_position: `(3,)` of a floating root link, world frame [m].
        initial_base_orientation: `(4,)` of a floating root link, xyzw.
    """

    initial_position: tuple[float, ...]
    joint_damping: tuple[float, ...]
    joint_friction: tuple[float, ...]
    timestep: float = 0.001
    position_noise: float = 0.0
    velocity_noise: float = 0.0
    force_noise: float = 0.0
    moment_noise: float = 0.0
    rate_noise: float = 0.0
    acceleration_noise: float = 0.0
    rate_bias: tuple[float, ...] = (0.0, 0.0, 0.0)
    acceleration_bias: tuple[float, ...] = (0.0, 0.0, 0.0)
    seed: int = 0
    state_delay: float = 0.0
    command_delay: float = 0.0
    command_timeout: float = 0.1
    fallback_damping: float = 5.0
    collisions: bool = False
    scene: str = ""
    floor: bool = False
    place_on_floor: bool = False
    initial_base_position: tuple[float, ...] = (0.0, 0.0, 0.0)
    initial_base_orientation: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
