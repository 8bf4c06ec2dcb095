"""Topics below `diagnostics/`: what the servo does, cycle by cycle."""

from collections.abc import Callable
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.bindings.row_messages import Computed, RowMessages
from controlit_ros.controllers.whole_body_controller import CONDITION_NUMBERS
from controlit_ros.interfaces import new
from controlit_ros.model import BASE_DOFS, RobotModel, RobotState
from controlit_ros.servo import PHASES, Coordinator, Outbox, Sampler
from controlit_ros.servo.sampler import Value
from controlit_ros.servo.servo_status import I_FREQUENCY, I_MODEL_LATENCY, I_ROUND_TRIP
from controlit_ros.transport import Publisher, Qos, Transport

RATE = 100.0  # [Hz] plots need no more; nothing is sampled that nobody listens to
QUALITY = Qos(depth=100)  # [messages] a second of samples survives a pause of the subscriber
JOINT_STATE = "sensor_msgs/msg/JointState"
IMU = "sensor_msgs/msg/Imu"
NO_ORIENTATION = [-1.0, *8 * (0.0,)]  # its first says that the unit tells none
NUMBER = "std_msgs/msg/Float64"
NUMBERS = "std_msgs/msg/Float64MultiArray"


class DiagnosticsTopics:
    """Publishes what a coordinator measures of itself and of the robot (paper, appendix C).

    Args:
        coordinator: The servo.
        transport: Topics are relative to its namespace.
        outbox: Brings the values out of the servo thread.
        clock_offset: Seconds from the servo's clock to ROS time.
    """

    def __init__(
        self,
        coordinator: Coordinator,
        transport: Transport,
        outbox: Outbox,
        clock_offset: float,
    ) -> None:
        self._coordinator = coordinator
        self._transport = transport
        self._outbox = outbox
        self._clock_offset = clock_offset
        numbers = coordinator.status.array
        self._number("servoFrequency", (numbers[I_FREQUENCY : I_FREQUENCY + 1],))
        self._number("modelLatency", (numbers[I_MODEL_LATENCY : I_MODEL_LATENCY + 1],))
        self._number("RTTCommLatency", (numbers[I_ROUND_TRIP : I_ROUND_TRIP + 1],))
        self._latency()
        self._joint_state()
        self._command()
        self._imu()
        self._gravity()
        self._condition_numbers()

    def _sampler(
        self,
        topic: str,
        type_name: str,
        width: int,
        value: Value,
        fields: Callable[[Array, dict[str, int]], dict[str, Any]],
        computed: Computed | None = None,
    ) -> None:
        """Publish a row of numbers.

        Args:
            topic: Below `diagnostics/`.
            type_name: Of its messages.
            width: Numbers in a message.
            value: See `Sampler`.
            fields: Returns the fields of a message for the numbers and a time; only copies.
            computed: What messages have in place of the numbers of a row.
        """
        publisher: Publisher = self._transport.publisher(f"diagnostics/{topic}", type_name, QUALITY)
        form = MessageForm(
            lambda values, stamp: new(type_name, **fields(values, time_fields(stamp))), width
        )
        self._outbox.add_sampler(
            Sampler(
                width if computed is None else len(computed.places),
                value,
                RowMessages(publisher, form, self._clock_offset, computed),
                rate=RATE,
                wanted=lambda: publisher.subscriber_count() > 0,
            )
        )

    def _number(self, topic: str, value: Value) -> None:
        self._sampler(topic, NUMBER, 1, value, lambda values, _stamp: {"data": float(values[0])})

    def _latency(self) -> None:
        self._sampler(
            "servoComputeLatency",
            "controlit/msg/ServoComputeLatency",
            len(PHASES),
            (self._coordinator.latency.current,),
            lambda values, stamp: {
                "stamp": stamp,
                **dict(zip(PHASES, values.tolist(), strict=True)),
            },
        )

    def _joint_state(self) -> None:
        state = self._coordinator.robot_state
        names, n = list(state.joint_names), len(state.joint_names)

        self._sampler(
            "jointState",
            JOINT_STATE,
            3 * n,
            (state.position, state.velocity, state.effort),
            lambda values, stamp: {
                "header": {"stamp": stamp},
                "name": names,
                "position": values[:n],
                "velocity": values[n : 2 * n],
                "effort": values[2 * n :],
            },
        )

    def _command(self) -> None:
        command = self._coordinator.command
        names, n = list(command.joint_names), len(command.joint_names)
        fields = {"effort": command.effort}
        if command.position is not None and command.velocity is not None:
            fields |= {"position": command.position, "velocity": command.velocity}

        self._sampler(
            "command",
            JOINT_STATE,
            len(fields) * n,
            tuple(fields.values()),
            lambda values, stamp: {
                "header": {"stamp": stamp},
                "name": names,
                **{key: values[i * n : (i + 1) * n] for i, key in enumerate(fields)},
            },
        )

    def _imu(self) -> None:
        state = self._coordinator.robot_state
        if not len(state.imu):
            return
        measured = state.imu[0]

        def fields(values: Array, stamp: dict[str, int]) -> dict[str, Any]:
            rate, force = (dict(zip("xyz", v, strict=True)) for v in values.reshape(2, 3).tolist())
            return {
                "header": {"stamp": stamp},
                "orientation_covariance": NO_ORIENTATION,
                "angular_velocity": rate,
                "linear_acceleration": force,
            }

        self._sampler("imu", IMU, len(measured), (measured,), fields)

    def _gravity(self) -> None:
        state = self._coordinator.robot_state
        names = list(state.joint_names)
        model = RobotModel(self._coordinator.model_updater.active.robot_model.description)

        self._sampler(
            "gravityVector",
            JOINT_STATE,
            len(names),
            posture(state),
            lambda values, stamp: {"header": {"stamp": stamp}, "name": names, "effort": values},
            gravity_efforts(model),
        )

    def _condition_numbers(self) -> None:
        numbers = self._coordinator.controller.parameters.get(CONDITION_NUMBERS)
        if numbers is None:
            return
        self._sampler(
            "conditionNumbers",
            NUMBERS,
            len(numbers.value),
            numbers,
            lambda values, _stamp: {"data": values},
        )


def posture(state: RobotState) -> tuple[Array, ...]:
    """Return where a state tells where base and joints are, however they move."""
    return state.base_position, state.base_orientation, state.position


def gravity_efforts(model: RobotModel) -> Computed:
    """Return what tells the efforts of real joints against gravity at a posture, `(n,)` [N m].

    At rest it is all of `B + G`, which the model has anyway; speeds, whatever they are, do not
    matter. Where there are none at a posture it raises `NotFiniteError`.

    Args:
        model: Overwritten; the result is its memory.
    """
    state, numbered = model.state, RobotState.like(model.state)
    numbered.motion[:] = np.arange(len(numbered.motion))
    places = np.concatenate(posture(numbered)).astype(np.int64)
    state.velocity.fill(0.0)
    state.base_velocity.fill(0.0)

    def efforts() -> Array:
        model.update(state)
        return model.BG[BASE_DOFS:]

    return Computed(state.motion, places, efforts)
