"""The relay between a servo and the topics of its robot."""

import math

import numpy as np
import pytest

from controlit_ros.bindings.frame_names import ROBOT_ALONE
from controlit_ros.controllers.command import Command
from controlit_ros.interfaces import new
from controlit_ros.model import InertialUnit, Mount, RobotState, WrenchSensor
from controlit_ros.nodes import robot_topics
from controlit_ros.nodes.imu_messages import ImuMessages
from controlit_ros.nodes.robot_topics import RobotTopicLink, TopicRelay
from controlit_ros.robots import RobotInterfaceError, RobotSetup, episode
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.topic import JOINT_STATE, ROBOT_COMMAND, ROBOT_STATE, Topic
from controlit_ros.transport.local import LocalTransport

JOINTS = ("hip", "knee", "ankle")
SETUP = RobotSetup(
    name="leg",
    urdf="",
    joint_names=JOINTS,
    command_names=("hip", "ankle"),
    couplings=(),
    fixed_base=True,
    reflected_inertia=(0.0,) * 3,
    gravity=(0.0, 0.0, -9.81),
    servo_frequency=1000.0,
)
SOLE = WrenchSensor("sole", "foot", (0.0,) * 3, (Mount("foot", (0.0,) * 3, (0.0, 0.0, 0.0, 1.0)),))
SENSING = SETUP._replace(sensors=(SOLE,))
FEELING = SETUP._replace(imu=InertialUnit((0.0,) * 3, (0.0, 0.0, 0.0, 1.0), "imu"))
IMU_TYPE = "sensor_msgs/msg/Imu"
TYPES = {"state_type": ROBOT_STATE, "command_type": ROBOT_COMMAND}


@pytest.fixture
def transport(request):
    with LocalTransport("leg", "/leg", domain=request.node.nodeid) as opened:
        yield opened


@pytest.fixture
def make_interface(channel_name):
    made = []

    def make(setup=SETUP, **values):
        interface = Topic(setup)
        for name, value in {"channel": channel_name, **values}.items():
            interface.parameter(name).set(value)
        interface.configure()
        made.append(interface)
        return interface

    yield make
    for interface in made:
        interface.deactivate()


@pytest.fixture
def join(transport):
    """Activate an interface and start its relay; return the list of its reports."""
    relays = []

    def start(interface):
        reports = []
        relays.append(TopicRelay(interface.topics, transport, reports.append, 0.0))
        relays[-1].start()
        interface.activate()
        return reports

    yield start
    for relay in relays:
        relay.stop()


@pytest.fixture
def state():
    return RobotState(JOINTS)


def joint_state(**changes):
    fields = {"name": list(JOINTS), "position": np.ones(3), "velocity": np.zeros(3)}
    return new(JOINT_STATE, **{**fields, **changes})


def test_states_and_commands_go_through(make_interface, join, transport, state, poll):
    interface = make_interface()
    join(interface)
    commands = []
    transport.subscribe("robot/joint_commands", JOINT_STATE, commands.append)
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    np.testing.assert_array_equal(state.position, 1.0)
    command = Command(SETUP.command_names)
    command.effort[:] = (2.0, -3.0)
    poll(lambda: interface.write(command) or commands)
    assert commands[0].name == ["hip", "ankle"]
    np.testing.assert_array_equal(commands[0].effort, (2.0, -3.0))


def test_the_ends_understand_each_other(make_interface, join, transport, state, poll):
    interface = make_interface(**TYPES)
    join(interface)
    robot = RobotTopicLink(interface.topics, transport, 0.0)
    robot.open()
    measured = RobotState(JOINTS)
    measured.sequence, measured.reflected_sequence = 7, 2**60
    measured.base_position[:] = (1.0, 2.0, 3.0)
    poll(lambda: robot.send(measured.vector) or interface.read(state))
    np.testing.assert_array_equal(state.vector[1:], measured.vector[1:])
    command = Command(SETUP.command_names, with_motion=True, with_gains=True)
    command.sequence = 2**60 + 1
    command.stiffness[:] = 5.0
    frame = CommandFrame(2)
    poll(lambda: interface.write(command) or robot.receive(frame.vector))
    assert frame.sequence == 2**60 + 1
    np.testing.assert_array_equal(frame.stiffness, 5.0)
    robot.close()


def test_messages_that_do_not_fit_are_counted_and_reported(
    make_interface, join, transport, state, poll, monkeypatch
):
    monkeypatch.setattr(episode, "RECENT", math.inf)
    interface = make_interface()
    reports = join(interface)
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    for count, message in enumerate(
        (
            joint_state(name=["hip", "knee", "toe"]),
            joint_state(position=[0.0, np.nan, 0.0]),
            joint_state(velocity=[0.0]),
        ),
        start=1,
    ):
        states.publish(message)
        poll(lambda count=count: interface.read(state) is not None and interface.refused == count)
    assert interface.parameter("malformed").value == 3
    np.testing.assert_array_equal(state.position, 1.0)
    assert all(text.startswith("topic robot/joint_states: ") for text in reports)
    poll(lambda: "3 messages on topic robot/joint_states were refused" in interface.explain())
    poll(lambda: states.publish(joint_state()) or interface.read(state))


def test_commands_that_do_not_fit_are_counted_by_the_robot(make_interface, transport, poll):
    robot = RobotTopicLink(make_interface().topics, transport, 0.0)
    robot.open()
    commands = transport.publisher("robot/joint_commands", JOINT_STATE)
    bad = new(JOINT_STATE, name=["hip", "ankle"], effort=[np.inf, 0.0])
    poll(lambda: commands.publish(bad) or robot.counts.malformed)
    assert not robot.receive(np.zeros(robot.incoming.size))
    assert "effort of 'hip' is not finite" in robot.explain()


def test_silence_is_explained(make_interface, join, poll):
    interface = make_interface()
    interface.activate()
    assert "the relay of topic robot/joint_states: no living process" in interface.explain()
    interface.deactivate()
    join(interface)
    poll(lambda: interface.explain() == "no message came on topic robot/joint_states")


def test_a_relay_that_ends_is_missed(make_interface, transport, poll):
    interface = make_interface()
    relay = TopicRelay(interface.topics, transport, print, 0.0)
    relay.start()
    relay.start()
    interface.activate()
    poll(lambda: "no message came" in interface.explain())
    relay.stop()
    relay.stop()
    poll(lambda: "has ended" in interface.explain() or "no living" in interface.explain())


def test_two_relays_of_one_robot_are_refused(make_interface, join, transport):
    interface = make_interface()
    join(interface)
    with pytest.raises(RobotInterfaceError, match="belongs to process"):
        TopicRelay(interface.topics, transport, print, 0.0).start()


def test_a_moving_base_must_be_measured(channel_name):
    interface = Topic(SETUP._replace(fixed_base=False))
    with pytest.raises(RobotInterfaceError, match="state_type: found sensor_msgs"):
        interface.configure()
    interface.parameter("state_type").set(ROBOT_STATE)
    interface.configure()


def wrench(force, frame="foot"):
    parts = {"force": {"z": force}, "torque": {"x": 2.0}}
    return new("geometry_msgs/msg/WrenchStamped", header={"frame_id": frame}, wrench=parts)


def test_wrenches_come_on_topics_of_their_own(make_interface, join, transport, poll):
    interface = make_interface(SENSING)
    reports = join(interface)
    state = SENSING.create_state()
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    assert np.isnan(state.sensed_wrench).all()
    forces = transport.publisher("robot/sole/wrench", "geometry_msgs/msg/WrenchStamped")

    def is_sensed():
        forces.publish(wrench(30.0))
        states.publish(joint_state())
        return interface.read(state) and np.isfinite(state.sensed_wrench).all()

    poll(is_sensed)
    assert state.sensed_wrench.tolist() == [[0.0, 0.0, 30.0, 2.0, 0.0, 0.0]]
    assert not reports
    forces.publish(wrench(30.0, "shin"))

    def is_refused():
        interface.read(state)
        return reports and interface.refused == 1

    poll(is_refused)
    assert reports[0].startswith("topic robot/sole/wrench: found frame_id 'shin', expected 'foot'")


def test_an_old_wrench_is_none(make_interface, join, transport, poll, monkeypatch):
    monkeypatch.setattr(robot_topics, "SENSOR_AGE", -1.0)  # the newest is too old
    interface = make_interface(SENSING, wrench_topics=["/sensor"])
    join(interface)
    came = []
    transport.subscribe("/sensor", "geometry_msgs/msg/WrenchStamped", came.append)
    forces = transport.publisher("/sensor", "geometry_msgs/msg/WrenchStamped")
    poll(lambda: forces.publish(wrench(30.0)) or came)
    state = SENSING.create_state()
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    assert np.isnan(state.sensed_wrench).all()


def test_topics_of_wrenches_are_as_many_as_sensors(channel_name):
    interface = Topic(SENSING)
    interface.parameter("wrench_topics").set(["a", "b"])
    with pytest.raises(RobotInterfaceError, match=r"found 2 topics, expected 1, .*\(sole\)"):
        interface.configure()


def inertial(frame="imu", **changes):
    rate, acceleration = {"x": 0.1, "y": 0.2, "z": 0.3}, {"x": 1.0, "y": 2.0, "z": 9.0}
    parts = {"angular_velocity": rate, "linear_acceleration": acceleration}
    return new(IMU_TYPE, header={"frame_id": frame}, **parts, **changes)


def test_inertial_measurements_come_on_a_topic_of_their_own(make_interface, join, transport, poll):
    interface = make_interface(FEELING, imu_topic="/unit")
    reports = join(interface)
    state = FEELING.create_state()
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    assert np.isnan(state.imu).all()
    unit = transport.publisher("/unit", IMU_TYPE)

    def is_felt():
        unit.publish(inertial())
        states.publish(joint_state())
        return interface.read(state) and np.isfinite(state.imu).all()

    poll(is_felt)
    assert state.imu.tolist() == [[0.1, 0.2, 0.3, 1.0, 2.0, 9.0]]
    assert not reports
    unit.publish(inertial("head"))
    poll(lambda: interface.read(state) or (reports and interface.refused == 1))
    assert reports[0].startswith("topic /unit: found frame_id 'head', expected 'imu'")


def test_an_old_inertial_measurement_is_none(make_interface, join, transport, poll, monkeypatch):
    monkeypatch.setattr(robot_topics, "SENSOR_AGE", -1.0)  # the newest is too old
    interface = make_interface(FEELING)
    join(interface)
    came = []
    transport.subscribe("robot/imu", IMU_TYPE, came.append)
    unit = transport.publisher("robot/imu", IMU_TYPE)
    poll(lambda: unit.publish(inertial()) or came)
    state = FEELING.create_state()
    states = transport.publisher("robot/joint_states", JOINT_STATE)
    poll(lambda: states.publish(joint_state()) or interface.read(state))
    assert np.isnan(state.imu).all()


def test_the_robot_publishes_what_its_unit_feels(make_interface, transport, poll):
    interface = make_interface(FEELING)
    link = RobotTopicLink(interface.topics, transport, 0.0)
    link.open()
    came = []
    transport.subscribe("robot/imu", IMU_TYPE, came.append)
    state = FEELING.create_state()
    state.imu[0] = range(6)
    poll(lambda: link.send(state.vector) or came)
    felt = np.zeros(6)
    ImuMessages(FEELING.imu, ROBOT_ALONE).read(came[0], felt)
    assert felt.tolist() == list(range(6))
    assert came[0].orientation_covariance[0] == -1.0


@pytest.mark.parametrize("quantity", ["angular_velocity", "linear_acceleration"])
def test_what_a_unit_says_not_to_tell_is_not_taken_from_it(quantity):
    message = inertial(**{f"{quantity}_covariance": [-1.0] + [0.0] * 8})
    felt = np.zeros(6)
    ImuMessages(FEELING.imu, ROBOT_ALONE).read(message, felt)
    assert (
        np.isnan(felt).tolist()
        == [quantity == "angular_velocity"] * 3 + [quantity == "linear_acceleration"] * 3
    )


def test_a_base_that_is_estimated_need_not_be_told(make_interface):
    floating = SETUP._replace(fixed_base=False)
    with pytest.raises(RobotInterfaceError, match="or a section estimation"):
        make_interface(floating)
    make_interface(floating._replace(imu=FEELING.imu))
