"""The topics behind the robot interface `Topic`, at the servo's end and at the robot's."""

import math
import threading
import time
from collections.abc import Callable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.interfaces import Message
from controlit_ros.model import InertialUnit
from controlit_ros.model.robot_state import IMU
from controlit_ros.nodes.command_outlet import command_outlet
from controlit_ros.nodes.imu_messages import TYPE as IMU_TYPE
from controlit_ros.nodes.imu_messages import ImuMessages
from controlit_ros.nodes.robot_messages import CommandMessages, StateMessages
from controlit_ros.nodes.wrench_messages import TYPE as WRENCH
from controlit_ros.nodes.wrench_messages import WrenchMessages
from controlit_ros.robots.channel import ChannelError, ChannelWriter
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.layout import command_layout, state_layout
from controlit_ros.robots.link import Link
from controlit_ros.robots.relay_link import refusal_writer
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotTopics
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import COMMAND, SENSOR_STATE, Transport

TENDING_PERIOD = 0.02  # [s]
COMMAND_AGE = 0.5  # [s] after which joint controllers have fallen back: an older command is none
SENSOR_AGE = 0.1  # [s] some periods of a slow sensor: what is older is none


class TopicRelay:
    """Joins the servo to the topics of its robot: messages on one side, shared memory on the other.

    Runs where the transport is, which may be another process than the servo's. What is refused is
    counted where the interface finds it, and reported.

    Args:
        topics: What to join.
        transport: Topics are relative to its namespace.
        report: Takes a sentence about a message that was refused; on the transport's thread.
        clock_offset: Seconds from the machine's monotonic clock to ROS time.
    """

    def __init__(
        self,
        topics: RobotTopics,
        transport: Transport,
        report: Callable[[str], None],
        clock_offset: float,
    ) -> None:
        setup = topics.setup
        self._topics = topics
        self._report = report
        self._link = ChannelLink(topics.channel, command_layout(setup), state_layout(setup))
        self._states = StateMessages(setup.joint_names, topics.state_type)
        self._state = setup.create_state()
        self._command = CommandFrame(len(setup.command_names))
        self._commands = command_outlet(topics, transport, report, clock_offset)
        self._wrenches = np.full_like(self._state.sensed_wrench, np.nan)
        self._wrench_heard = [-math.inf] * len(setup.sensors)
        self._refused = np.zeros(1)
        self._refusals: ChannelWriter | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._imu = np.full(IMU, np.nan)
        self._imu_heard = -math.inf
        if setup.imu is not None:
            receive = self._imu_receiver(setup.imu, topics.imu_topic)
            transport.subscribe(topics.imu_topic, IMU_TYPE, receive, SENSOR_STATE)
        for i, topic in enumerate(topics.wrench_topics):
            transport.subscribe(topic, WRENCH, self._wrench_receiver(i, topic), SENSOR_STATE)
        transport.subscribe(topics.state_topic, topics.state_type, self._receive, SENSOR_STATE)

    def start(self) -> None:
        """Begin to relay; idempotent.

        Raises:
            RobotInterfaceError: The shared memory belongs to another relay.
        """
        if self._thread is not None:
            return
        topics = self._topics
        try:
            self._refusals = refusal_writer(topics.channel)
            self._link.open()
        except (ChannelError, RobotInterfaceError) as error:
            self._close()
            raise RobotInterfaceError(str(error)) from None
        self._stopping.clear()
        try:
            self._commands.start()
            self._thread = running_thread(self._run, "robot topics")
        except RuntimeError:
            self._close()
            raise

    def stop(self) -> None:
        """End; idempotent."""
        if self._thread is None:
            return
        self._stopping.set()
        self._thread.join()
        self._thread = None
        self._close()

    def _close(self) -> None:
        self._commands.stop()
        self._link.close()
        if self._refusals is not None:
            self._refusals.close()
            self._refusals = None

    def _receive(self, message: Message) -> None:
        if self._thread is None:
            return
        try:
            self._states.read(message, self._state)
        except ConversionError as error:
            self._refuse(self._topics.state_topic, str(error))
            return
        oldest = time.monotonic() - SENSOR_AGE
        for i, heard in enumerate(self._wrench_heard):
            self._state.sensed_wrench[i] = self._wrenches[i] if heard > oldest else np.nan
        self._state.imu[:] = self._imu if self._imu_heard > oldest else np.nan
        self._link.send(self._state.vector)

    def _wrench_receiver(self, number: int, topic: str) -> Callable[[Message], None]:
        setup = self._topics.setup
        messages = WrenchMessages(setup.sensors[number], FrameNames(setup.frame_prefix))

        def receive(message: Message) -> None:
            try:
                messages.read(message, self._wrenches[number])
            except ConversionError as error:
                self._refuse(topic, str(error))
                return
            self._wrench_heard[number] = time.monotonic()

        return receive

    def _imu_receiver(self, unit: InertialUnit, topic: str) -> Callable[[Message], None]:
        messages = ImuMessages(unit, FrameNames(self._topics.setup.frame_prefix))

        def receive(message: Message) -> None:
            try:
                messages.read(message, self._imu)
            except ConversionError as error:
                self._refuse(topic, str(error))
                return
            self._imu_heard = time.monotonic()

        return receive

    def _refuse(self, topic: str, reason: str) -> None:
        self._refused += 1.0
        if self._refusals is not None:
            self._refusals.write(self._refused)
        self._report(f"topic {topic}: {reason}")

    def _run(self) -> None:
        link, command = self._link, self._command
        tended = 0.0
        while not self._stopping.is_set():
            link.wait(TENDING_PERIOD)
            now = time.monotonic()
            if now - tended > TENDING_PERIOD:
                tended = now
                link.tend()
            if link.receive(command.vector) and link.silence < COMMAND_AGE:
                self._commands.send(command, now)
            elif link.silence > COMMAND_AGE:
                self._commands.rest()


class RobotTopicLink(Link):
    """The robot's end of the topics: publishes states and takes commands.

    Args:
        topics: What to join.
        transport: Topics are relative to its namespace.
        clock_offset: Seconds from the stamps of states to ROS time.
    """

    def __init__(self, topics: RobotTopics, transport: Transport, clock_offset: float) -> None:
        setup = topics.setup
        super().__init__(command_layout(setup), state_layout(setup))
        self._topics = topics
        self._transport = transport
        self._offset = clock_offset
        self._states = StateMessages(setup.joint_names, topics.state_type)
        self._commands = CommandMessages(setup.command_names, topics.command_type)
        self._state = setup.create_state()
        self._command = CommandFrame(len(setup.command_names))
        self._publisher = transport.publisher(topics.state_topic, topics.state_type, COMMAND)
        frames = FrameNames(setup.frame_prefix)
        self._wrench_publishers = [
            (transport.publisher(topic, WRENCH, COMMAND), WrenchMessages(sensor, frames))
            for topic, sensor in zip(topics.wrench_topics, setup.sensors, strict=True)
        ]
        self._imu = None
        if setup.imu is not None:
            publisher = transport.publisher(topics.imu_topic, IMU_TYPE, COMMAND)
            self._imu = publisher, ImuMessages(setup.imu, frames)
        self._lock = threading.Lock()
        self._newest = np.zeros(self._command.size)
        self._came = threading.Event()
        self._refusal = ""
        self._is_open = False

    def open(self) -> None:
        """Subscribe to commands."""
        topics = self._topics
        self._is_open = True
        self._transport.subscribe(
            topics.command_topic, topics.command_type, self._receive, SENSOR_STATE
        )

    def send(self, vector: Array) -> None:
        """Publish a state and the wrenches that belong to it."""
        np.copyto(self._state.vector, vector)
        if self._is_open:
            stamp = self._state.stamp + self._offset
            wrenches = self._state.sensed_wrench
            for (publisher, messages), wrench in zip(
                self._wrench_publishers, wrenches, strict=True
            ):
                publisher.publish(messages.write(wrench, stamp))  # before the state they belong to
            if self._imu is not None:
                imu_publisher, imu_messages = self._imu
                imu_publisher.publish(imu_messages.write(self._state.imu[0], stamp))
            self._publisher.publish(self._states.write(self._state, stamp))

    def wait(self, timeout: float) -> None:
        """Sleep until a command comes."""
        self._came.wait(timeout)

    def explain(self) -> str:
        """Tell what was refused last."""
        return self._refusal

    def close(self) -> None:
        """Publish no more; the transport is its owner's to close."""
        self._is_open = False

    def _take(self, vector: Array) -> bool:
        if not self._came.is_set():
            return False
        with self._lock:
            self._came.clear()
            np.copyto(vector, self._newest)
        return True

    def _receive(self, message: Message) -> None:
        try:
            self._commands.read(message, self._command)
        except ConversionError as error:
            self._refusal = str(error)
            self.counts.malformed += 1  # last: who sees the count finds the reason
            return
        with self._lock:
            np.copyto(self._newest, self._command.vector)
            self._came.set()


def robot_link(topics: RobotTopics, transport: Transport) -> RobotTopicLink:
    """Return the robot's end of the topics, for a robot on this machine's monotonic clock.

    Raises:
        RobotInterfaceError: The robot is ros2_control's.
    """
    if topics.forwarding is not None:
        raise RobotInterfaceError(
            "the robot of the interface Ros2Control is hardware of ros2_control, which simulates "
            "it itself; expected another interface"
        )
    return RobotTopicLink(topics, transport, time.time() - time.monotonic())
