"""Two ends over the loopback: the newest counts, whatever else arrives."""

import math
import socket
import struct
import tracemalloc

import numpy as np
import pytest
from free_ports import free_ports
from patience import GENEROUS

from controlit_ros.robots import RobotInterfaceError, episode, udp_link
from controlit_ros.robots.datagram import DatagramWriter
from controlit_ros.robots.layout import Layout
from controlit_ros.robots.seal import ChecksumSeal, KeySeal, NoSeal
from controlit_ros.robots.udp_link import Address, UdpLink

pytestmark = pytest.mark.processes

STATE = Layout("state", ("slide", "turn"), 3)
COMMAND = Layout("command", ("slide", "turn"), 2)
KEY = b"0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def nothing_is_long_ago(monkeypatch):
    """Take no pause of a busy machine for a silence of the peer."""
    monkeypatch.setattr(episode, "RECENT", math.inf)
    monkeypatch.setattr(udp_link, "FORGIVING_SILENCE", math.inf)


@pytest.fixture
def addresses():
    return [Address("127.0.0.1", port) for port in free_ports(2)]


@pytest.fixture
def servo(addresses):
    link = UdpLink(*addresses, STATE, COMMAND)
    link.open()
    yield link
    link.close()


@pytest.fixture
def robot(addresses):
    link = UdpLink(*addresses[::-1], COMMAND, STATE)
    link.open()
    yield link
    link.close()


@pytest.fixture
def attacker(addresses):
    """A socket at the robot's address that sends what it likes."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(addresses[1])
    made.connect(addresses[0])
    yield made
    made.close()


def arrival(link, size=3):
    """Return what comes of the next datagrams, which are sure to come."""
    values = np.zeros(size)
    link.wait(GENEROUS)
    return values if link.receive(values) else None


def newest(link, values, poll, is_all):
    """Receive until all is there, in one go or in some; return how many vectors were handed on."""
    before = link.counts.received

    def look():
        link.receive(values)
        return is_all()

    poll(look)
    return link.counts.received - before


def test_both_ways(servo, robot):
    robot.send(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(arrival(servo), [1, 2, 3])
    servo.send(np.array([4.0, 5.0]))
    np.testing.assert_array_equal(arrival(robot, 2), [4, 5])
    assert not servo.receive(np.zeros(3))


def test_only_the_newest_of_many_counts(servo, robot, poll):
    for number in range(50):
        robot.send(np.full(3, float(number)))
    values = np.zeros(3)
    assert newest(servo, values, poll, lambda: values[0] == 49.0) < 50
    np.testing.assert_array_equal(values, 49.0)
    assert not servo.receive(np.zeros(3))
    assert servo.counts.lost == 0


def test_what_is_refused_is_counted_by_kind(servo, attacker, poll):
    writer = DatagramWriter(STATE, session=5)
    sent = []
    for number in range(4):
        writer.write(np.full(3, float(number)))
        sent.append(bytes(writer.buffer))
    former = DatagramWriter(STATE, session=4)
    former.write(np.full(3, 99.0))
    for content in (sent[0], sent[3], sent[3], sent[1], bytes(former.buffer), b"", b"noise" * 30):
        attacker.send(content)
    values, counts = np.zeros(3), servo.counts
    assert newest(servo, values, poll, lambda: counts.refused >= 5) in (1, 2)
    np.testing.assert_array_equal(values, 3.0)
    assert (counts.lost, counts.duplicate) == (2, 1)
    assert (counts.reordered, counts.stale, counts.malformed) == (1, 1, 2)
    assert counts.refused == 5
    assert "2 datagrams" in servo.explain()
    assert "magic" in servo.explain()


def test_values_that_are_not_finite_are_refused(servo, robot):
    robot.send(np.array([1.0, np.nan, 0.0]))
    assert arrival(servo) is None
    assert servo.counts.not_finite == 1
    assert "not finite" in servo.explain()
    robot.send(np.ones(3))
    np.testing.assert_array_equal(arrival(servo), 1.0)


def test_a_flood_does_not_hide_the_robot(servo, attacker, poll):
    writer = DatagramWriter(STATE)
    for _ in range(20):
        for _ in range(200):
            attacker.send(b"flood")
        servo.receive(np.zeros(3))
    values = np.zeros(3)

    def is_heard():
        writer.write(np.full(3, 7.0))
        attacker.send(writer.buffer)
        return servo.receive(values)

    poll(is_heard)
    np.testing.assert_array_equal(values, 7.0)
    assert servo.counts.malformed > 1000


def test_strangers_are_not_heard(servo, robot, addresses):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        writer = DatagramWriter(STATE)
        writer.write(np.full(3, 5.0))
        stranger.sendto(writer.buffer, addresses[0])
    robot.send(np.ones(3))
    np.testing.assert_array_equal(arrival(servo), 1.0)
    assert servo.counts.refused == 0


FORGED_NUMBERS = {
    "session": lambda session, sequence: (2**64 - 1, sequence + 1),
    "sequence": lambda session, sequence: (session, 2**64 - 1),
    "both": lambda session, sequence: (2**64 - 1, 2**64 - 1),
    "earlier session": lambda session, sequence: (0, sequence),
    "earlier sequence": lambda session, sequence: (session, 0),
}


@pytest.mark.parametrize("kind", FORGED_NUMBERS)
def test_a_forged_number_costs_no_measurement(servo, attacker, kind):
    """What comes from the robot's address and is right in everything else."""
    robot = DatagramWriter(STATE, session=10**18)
    for number in range(100, 140):
        robot.write(np.full(3, float(number)))
        content = bytearray(robot.buffer)
        attacker.send(content)
        np.testing.assert_array_equal(arrival(servo), float(number))
        session, sequence = struct.unpack_from("<QQ", content, 16)
        struct.pack_into("<QQ", content, 16, *FORGED_NUMBERS[kind](session, sequence))
        content[48:] = bytes(len(content) - 48)
        attacker.send(content)
        assert arrival(servo) is None
    assert servo.counts.received == 40
    assert servo.counts.lost == 0
    assert servo.counts.refused == 40


@pytest.fixture
def sealed(addresses):
    """Open both ends with seals of their own."""
    opened = []

    def begin(servo_seal, robot_seal):
        for own, peer, incoming, outgoing, made in (
            (*addresses, STATE, COMMAND, servo_seal),
            (*addresses[::-1], COMMAND, STATE, robot_seal),
        ):
            opened.append(UdpLink(own, peer, incoming, outgoing, made))
            opened[-1].open()
        return opened[-2:]

    yield begin
    for link in opened:
        link.close()


def exchanged(servo, robot, poll):
    """Let both ends work until each has had a vector of the other."""
    got = set()

    def both_came():
        robot.tend()
        robot.send(np.full(3, 3.0))
        servo.tend()
        if servo.receive(np.zeros(3)):
            got.add("state")
        servo.send(np.full(2, 2.0))
        if robot.receive(np.zeros(2)):
            got.add("command")
        return len(got) == 2

    poll(both_came)


@pytest.mark.parametrize(
    "make", [NoSeal, ChecksumSeal, lambda: KeySeal(KEY)], ids=["none", "checksum", "key"]
)
def test_both_ways_with_every_seal(sealed, poll, make):
    servo, robot = sealed(make(), make())
    exchanged(servo, robot, poll)
    assert servo.counts.malformed == robot.counts.malformed == 0
    exchanged(servo, robot, poll)


def test_a_servo_that_commands_nothing_is_answered_all_the_same(sealed, poll):
    """It must see states before it may command; only its signs of life answer the robot."""
    servo, robot = sealed(KeySeal(KEY), KeySeal(KEY))

    def state_came():
        robot.receive(np.zeros(2))
        robot.send(np.full(3, 3.0))
        servo.tend()
        return servo.receive(np.zeros(3))

    poll(state_came)
    assert servo.counts.refused == robot.counts.refused == 0  # a beginning is no trouble
    assert robot.counts.received == 0


def test_another_key_is_told_and_nothing_is_heard(sealed):
    servo, robot = sealed(KeySeal(KEY), KeySeal(KEY[::-1]))
    for _ in range(5):
        servo.tend()
        robot.send(np.ones(3))
        assert arrival(servo) is None
        assert not robot.receive(np.zeros(2))
    assert servo.counts.malformed == 5
    assert "HMAC" in servo.explain()


class Tapped:
    """Keeps what a link sends."""

    def __init__(self, link, monkeypatch):
        self.sent = []
        write = link._writer.write

        def recorded(vector):
            write(vector)
            self.sent.append(bytes(link._writer.buffer))

        monkeypatch.setattr(link._writer, "write", recorded)


def test_what_was_recorded_in_another_life_moves_no_robot(sealed, poll, addresses, monkeypatch):
    """Commands of yesterday, played over and over to a robot that was just switched on."""
    servo, robot = sealed(KeySeal(KEY), KeySeal(KEY))
    exchanged(servo, robot, poll)  # what is sent from now on answers the robot's challenge
    tape = Tapped(servo, monkeypatch).sent
    for _ in range(5):
        exchanged(servo, robot, poll)
    for link in (servo, robot):
        link.close()
    robot = UdpLink(*addresses[::-1], COMMAND, STATE, KeySeal(KEY))
    robot.open()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thief:
        thief.bind(addresses[0])
        thief.connect(addresses[1])
        for content in tape * 3:
            thief.send(content)
            robot.send(np.zeros(3))
            assert arrival(robot, 2) is None
    assert robot.counts.stale == 3 * len(tape) >= 15
    robot.close()
    exchanged(*sealed(KeySeal(KEY), KeySeal(KEY)), poll)


def test_silence_is_explained(servo, addresses):
    assert str(addresses[1]) in servo.explain()
    servo.send(np.zeros(2))
    servo.wait(GENEROUS)  # ends with the refusal
    servo.receive(np.zeros(3))
    assert servo.explain() == f"nobody listens at {addresses[1]}"


def test_a_robot_that_dies_and_returns_is_heard_again(servo, addresses, poll):
    for life in range(2):
        robot = UdpLink(*addresses[::-1], COMMAND, STATE)
        robot.open()
        for _ in range(3):
            robot.send(np.full(3, float(life)))
        values = np.full(3, np.nan)
        poll(lambda values=values: servo.receive(values))
        np.testing.assert_array_equal(values, float(life))
        robot.close()
        servo.send(np.zeros(2))  # into the void
        servo.receive(np.zeros(3))
    assert servo.counts.refused == 2  # that there is another life is believed the third time


def test_an_address_in_use_is_told(servo, addresses):
    second = UdpLink(*addresses, STATE, COMMAND)
    with pytest.raises(RobotInterfaceError, match=f"{addresses[0].port}.*in use"):
        second.open()


def test_too_many_joints_for_a_datagram():
    names = tuple(f"joint_{i}" for i in range(3000))
    with pytest.raises(RobotInterfaceError, match="found 3000 joints"):
        UdpLink(Address("", 1), Address("", 2), Layout("state", names, 12016), COMMAND)


def test_a_thousand_joints_travel(addresses):
    names = tuple(f"joint_{i}" for i in range(1000))
    state = Layout("state", names, 4016)
    servo = UdpLink(*addresses, state, COMMAND)
    robot = UdpLink(*addresses[::-1], COMMAND, state)
    servo.open()
    robot.open()
    robot.send(np.arange(4016.0))
    np.testing.assert_array_equal(arrival(servo, 4016), np.arange(4016.0))
    servo.close()
    robot.close()


@pytest.mark.parametrize(
    "make", [NoSeal, ChecksumSeal, lambda: KeySeal(KEY)], ids=["none", "checksum", "key"]
)
def test_a_cycle_allocates_nothing_that_lasts(sealed, make):
    servo, robot = sealed(make(), make())
    state, command = np.ones(3), np.ones(2)

    def cycle():
        for _ in range(300):
            robot.send(state)
            servo.receive(state)
            servo.send(command)
            robot.receive(command)

    cycle()
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    cycle()
    after = tracemalloc.take_snapshot()
    tracemalloc.stop()
    grown = [line for line in after.compare_to(before, "filename") if line.size_diff > 2000]
    assert not grown, grown
