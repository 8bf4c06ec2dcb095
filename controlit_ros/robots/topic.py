"""Topic: joint controllers that speak ROS messages."""

from controlit_ros.parameters import Kind
from controlit_ros.robots.relayed_robot import RelayedRobot
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup, RobotTopics

JOINT_STATE = "sensor_msgs/msg/JointState"
ROBOT_STATE = "controlit/msg/RobotState"
ROBOT_COMMAND = "controlit/msg/RobotCommand"


class Topic(RelayedRobot):
    """Takes states from a topic and publishes commands on another, over whichever transport.

    States are `sensor_msgs/JointState` (every joint of the robot by name, in any order, with
    position and velocity; others are ignored) or `controlit/RobotState`, which also has
    accelerations, the base and sequence numbers. Commands are `sensor_msgs/JointState` or
    `controlit/RobotCommand`, which also has gains and a sequence number. The wrench of each contact
    that has a sensor is a `geometry_msgs/WrenchStamped` on a topic of its own, that of the inertial
    measurement unit of an estimation a `sensor_msgs/Imu`.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._state_topic = self.declare_setting(
            "state_topic", "robot/joint_states", "Topic of the robot's states."
        )
        self._state_type = self.declare_setting(
            "state_type", JOINT_STATE, "Type of its messages.", choices=(JOINT_STATE, ROBOT_STATE)
        )
        self._command_topic = self.declare_setting(
            "command_topic", "robot/joint_commands", "Topic of the commands."
        )
        self._command_type = self.declare_setting(
            "command_type",
            JOINT_STATE,
            "Type of its messages.",
            choices=(JOINT_STATE, ROBOT_COMMAND),
        )
        self._wrench_topics = self.declare_setting(
            "wrench_topics",
            (),
            "Topics of the wrenches of contacts with wrench_sensor, in their order. "
            "None: robot/<contact>/wrench for each.",
            kind=Kind.TEXT,
            shape=(None,),
        )
        self._imu_topic = self.declare_setting(
            "imu_topic",
            "robot/imu",
            "Topic of the inertial measurement unit, sensor_msgs/Imu; with a section estimation.",
        )

    @property
    def topics(self) -> RobotTopics:
        """What a relay has to join."""
        return RobotTopics(
            self.setup,
            self._channel.value,
            self._state_topic.value,
            self._state_type.value,
            self._command_topic.value,
            self._command_type.value,
            self._wrench_topics.value
            or tuple(f"robot/{sensor.contact}/wrench" for sensor in self.setup.sensors),
            imu_topic=self._imu_topic.value,
        )

    def configure(self) -> None:
        """Check that the states tell all the servo has to know.

        Raises:
            RobotInterfaceError: The base moves and nobody measures it, or there are not as many
                topics of wrenches as sensors.
        """
        topics, sensors = self._wrench_topics.value, self.setup.sensors
        if topics and len(topics) != len(sensors):
            contacts = ", ".join(sensor.contact for sensor in sensors) or "none"
            raise RobotInterfaceError(
                f"wrench_topics: found {len(topics)} topics, expected {len(sensors)}, one for each "
                f"contact with wrench_sensor ({contacts})"
            )
        is_told = self.setup.fixed_base or self.setup.imu is not None
        if not is_told and self._state_type.value == JOINT_STATE:
            raise RobotInterfaceError(
                f"state_type: found {JOINT_STATE}, expected {ROBOT_STATE}: the base of this robot "
                "moves and must be measured, or a section estimation"
            )
        super().configure()

    @property
    def place(self) -> str:
        """Where the robot is reached."""
        return f"topics {self._state_topic.value} and {self._command_topic.value}"
