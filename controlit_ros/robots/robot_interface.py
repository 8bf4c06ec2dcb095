"""RobotInterface: the hardware abstraction between the servo and a robot."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

from controlit_ros.constraints.transmission import Coupling
from controlit_ros.controllers.command import Command
from controlit_ros.errors import ControlItError
from controlit_ros.model.footprint import Footprint
from controlit_ros.model.inertial_unit import InertialUnit
from controlit_ros.model.robot_state import RobotState
from controlit_ros.model.wrench_sensor import WrenchSensor
from controlit_ros.parameters import Access, Parameter, ParameterReflection
from controlit_ros.robots.simulated_scene import SimulatedScene


class RobotInterfaceError(ControlItError):
    """The robot cannot be reached or refuses what it is asked."""


class RobotSetup(NamedTuple):
    """What an interface knows of the robot and of the controller that drives it.

    Attributes:
        name: Name of the controller, the namespace of its topics.
        urdf: Text of the robot description.
        joint_names: Real joints, in the order of `RobotState`.
        command_names: Command joints, in the order of `Command`.
        couplings: Mechanical transmissions between joints.
        fixed_base: Whether the root link is bolted to the world.
        reflected_inertia: Rotor inertia seen at each joint of `joint_names` [kg m²].
        gravity: Gravity in the world frame [m/s²].
        servo_frequency: Rate at which the servo reads and writes [Hz].
        folder: Where relative paths in parameters begin.
        sensors: Of the wrenches of contacts, in the order of `RobotState.sensed_wrench`, where an
            interface writes them in each `read`; numbers that are not finite where it has none.
        rest_position: Where joints are unless somebody says something else, in the order of
            `joint_names`; empty: all at zero [rad or m].
        footprints: Where contact constraints say that the robot touches the world.
        frame_prefix: What stands before the names of links in headers of messages.
        imu: The unit at the root link whose `RobotState.imu` an interface writes in each `read`;
            numbers that are not finite where it has none; `None`: nobody asks.
        real_time: Whether the controller wants real-time scheduling, so that a simulator may, too.
    """

    name: str
    urdf: str
    joint_names: tuple[str, ...]
    command_names: tuple[str, ...]
    couplings: tuple[Coupling, ...]
    fixed_base: bool
    reflected_inertia: tuple[float, ...]
    gravity: tuple[float, float, float]
    servo_frequency: float
    folder: str = ""
    sensors: tuple[WrenchSensor, ...] = ()
    rest_position: tuple[float, ...] = ()
    footprints: tuple[Footprint, ...] = ()
    real_time: bool = True
    frame_prefix: str = ""
    imu: InertialUnit | None = None

    def create_state(self) -> RobotState:
        """Return a new state of this robot, as interfaces fill it."""
        return RobotState(
            self.joint_names, sensors=len(self.sensors), imus=int(self.imu is not None)
        )


class Forwarding(NamedTuple):
    """Which controller of ros2_control forwards commands to the joints.

    Attributes:
        manager: Absolute name of the node controller_manager.
        controller: Name of the controller.
        interface: What it commands: effort, position or velocity.
    """

    manager: str
    controller: str
    interface: str


class RobotTopics(NamedTuple):
    """Which topics stand behind the channels of an interface; plain values for any process.

    Attributes:
        setup: The robot.
        channel: Name of the shared memory between servo and relay.
        state_topic: Where the robot's states come from.
        state_type: Their message type.
        command_topic: Where commands go.
        command_type: Their message type.
        wrench_topics: Where the wrench of each sensor of the setup comes from.
        forwarding: Whom commands go to; `None`: to whoever listens.
        imu_topic: Where the inertial measurements come from, if the setup has a unit.
    """

    setup: RobotSetup
    channel: str
    state_topic: str
    state_type: str
    command_topic: str
    command_type: str
    wrench_topics: tuple[str, ...]
    forwarding: Forwarding | None = None
    imu_topic: str = "robot/imu"


class RobotInterface(ParameterReflection, ABC):
    """Reads the robot's state and writes commands to it (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.robot_interfaces`; its
    parameters, declared in `__init__`, stand under `robot_interface` in the configuration file.
    `read` and `write` run in the servo thread: they never block, never allocate, never log.

    Attributes:
        setup: The robot and the controller that drives it.
        senses_wrenches: Whether there can be sensors at the contacts, so that their silence is
            worth a warning.
    """

    senses_wrenches: ClassVar[bool] = True

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(name)
        self.setup = setup

    def declare_setting(
        self, name: str, default: Any, description: str, **properties: Any
    ) -> Parameter:
        """Declare a parameter that a file sets and nobody changes while the controller runs."""
        return self.declare(
            name, default, description=description, access=Access.CONFIGURATION, **properties
        )

    @property
    def place(self) -> str:
        """Where the robot is reached, in words; empty: this interface knows no other place."""
        return ""

    @property
    def topics(self) -> RobotTopics | None:
        """What a relay has to join for this interface; `None`: it needs no transport."""
        return None

    @property
    def scene(self) -> SimulatedScene | None:
        """What stands around the robot where it is simulated; `None`: nothing that is known."""
        return None

    @property
    def needs_motion(self) -> bool:
        """Whether commands need positions and velocities beside efforts; once configured."""
        return False

    @property
    def refused(self) -> int:
        """How much came from the robot and was not taken for a measurement; servo thread.

        When it has grown, the servo warns with the words of `explain`.
        """
        return 0

    def explain(self) -> str:
        """Say why no state comes or what is refused; empty: nothing is known; servo thread."""
        return ""

    @abstractmethod
    def configure(self) -> None:
        """Validate the parameters against the robot and allocate, without I/O.

        Raises:
            RobotInterfaceError: The parameters do not fit the robot.
        """

    @abstractmethod
    def activate(self) -> None:
        """Connect to the robot; may block for a bounded time.

        Raises:
            RobotInterfaceError: The robot cannot be reached.
        """

    @abstractmethod
    def read(self, state: RobotState) -> bool:
        """Write the latest measurement into `state`; return whether it is a new one."""

    @abstractmethod
    def write(self, command: Command) -> None:
        """Send a command; a robot that misses it keeps the previous one for a bounded time."""

    @abstractmethod
    def deactivate(self) -> None:
        """Disconnect; idempotent. The robot is left without effort commands."""
