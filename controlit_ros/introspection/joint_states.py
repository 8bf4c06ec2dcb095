"""JointStates: what other ROS programs want to know of a robot."""

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.bindings.row_messages import RowMessages
from controlit_ros.interfaces import Message, new
from controlit_ros.servo import Coordinator, Outbox, Sampler
from controlit_ros.transport import LATCHED, Qos, Transport

RATE = 100.0  # [Hz] what displays and planners take; nothing is sampled that nobody listens to
JOINT_STATE = "sensor_msgs/msg/JointState"
STRING = "std_msgs/msg/String"
QUALITY = Qos(reliable=True, depth=10)  # serves who asks for that, and who does not


class JointStates:
    """Publishes `joint_states` and, latched, `robot_description`.

    With these two topics robot_state_publisher, RViz and MoveIt work as with any robot. All joints
    of the description are in `joint_states`, also those without a motor.

    Args:
        coordinator: The servo.
        urdf: Text of the robot description.
        transport: Topics are relative to its namespace.
        outbox: Brings the values out of the servo thread.
        clock_offset: Seconds from the servo's clock to ROS time.
    """

    def __init__(
        self,
        coordinator: Coordinator,
        urdf: str,
        transport: Transport,
        outbox: Outbox,
        clock_offset: float,
    ) -> None:
        state = coordinator.robot_state
        names, n = list(state.joint_names), len(state.joint_names)
        publisher = transport.publisher("joint_states", JOINT_STATE, QUALITY)

        def message(values: Array, stamp: float) -> Message:
            return new(
                JOINT_STATE,
                header={"stamp": time_fields(stamp)},
                name=names,
                position=values[:n],
                velocity=values[n : 2 * n],
                effort=values[2 * n :],
            )

        form = MessageForm(message, 3 * n)

        outbox.add_sampler(
            Sampler(
                3 * n,
                (state.position, state.velocity, state.effort),
                RowMessages(publisher, form, clock_offset),
                rate=RATE,
                wanted=lambda: publisher.subscriber_count() > 0,
            )
        )
        description = transport.publisher("robot_description", STRING, LATCHED)
        description.publish(new(STRING, data=urdf))
