"""Seals against the standard library, and the challenge against recordings."""

import hmac
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.key_file import KeyFileError, read_key
from controlit_ros.robots.seal import SLICE, ChecksumSeal, KeySeal, Trust
from controlit_ros.robots.udp import UDP

KEY = b"sixteen bytes and more"


def closed(seal, content):
    datagram = memoryview(bytearray(content) + bytearray(seal.size))
    seal.close(datagram)
    return datagram


@given(
    key=st.binary(min_size=1, max_size=200),
    content=st.binary(max_size=200) | st.integers(1, 3 * SLICE).map(bytes),
)
def test_the_end_is_the_hmac_of_the_standard_library(key, content):
    datagram = bytes(closed(KeySeal(key), content))
    assert datagram[-16:] == hmac.digest(key, datagram[:-16], "sha256")[:16]


@given(st.binary(max_size=200))
def test_the_checksum_is_that_of_zlib(content):
    datagram = bytes(closed(ChecksumSeal(), content))
    assert int.from_bytes(datagram[-8:], "little") == crc32(content)
    assert ChecksumSeal().check(memoryview(datagram)) is Trust.GOOD


def test_two_ends_trust_each_other_after_one_answer():
    servo, robot = KeySeal(KEY), KeySeal(KEY)
    assert servo.check(closed(robot, b"state")) is Trust.GREETING
    assert robot.check(closed(servo, b"hello")) is Trust.GOOD
    assert servo.check(closed(robot, b"state")) is Trust.GOOD


def test_recordings_answer_no_later_challenge():
    servo, robot = KeySeal(KEY), KeySeal(KEY)
    servo.check(closed(robot, b"state"))
    recorded = closed(servo, b"command")
    assert robot.check(recorded) is Trust.GOOD
    robot.renew()
    assert robot.check(recorded) is Trust.STRANGE
    later = KeySeal(KEY)
    assert later.check(recorded) is Trust.STRANGE


def test_recordings_do_not_turn_the_answer_away_from_the_peer():
    servo, robot = KeySeal(KEY), KeySeal(KEY)
    yesterday = KeySeal(KEY)
    yesterday.check(closed(KeySeal(KEY), b"state"))
    former = closed(yesterday, b"command")
    servo.check(closed(robot, b"state"))
    robot.check(closed(servo, b"command"))
    assert servo.check(closed(robot, b"state")) is Trust.GOOD
    assert servo.check(former) is Trust.STRANGE
    assert robot.check(closed(servo, b"command")) is Trust.GOOD


def test_an_end_that_starts_anew_is_trusted_again():
    servo, robot = KeySeal(KEY), KeySeal(KEY)
    for _ in range(2):
        servo.check(closed(robot, b"state"))
        robot.check(closed(servo, b"command"))
    robot = KeySeal(KEY)
    assert servo.check(closed(robot, b"state")) is Trust.GREETING
    assert robot.check(closed(servo, b"command")) is Trust.STRANGE
    assert servo.check(closed(robot, b"state")) is Trust.GOOD
    assert robot.check(closed(servo, b"command")) is Trust.GOOD


def test_without_the_key_nothing_is_made():
    servo = KeySeal(KEY)
    assert servo.check(closed(KeySeal(b"another"), b"state")) is Trust.BROKEN


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "key"
    path.write_text("0123456789abcdef0123456789abcdef\n")
    path.chmod(0o600)
    return path


def test_a_key_is_read_without_the_end_of_its_line(key_file):
    assert read_key(str(key_file)) == b"0123456789abcdef0123456789abcdef"


def test_key_files_that_are_none_say_why(key_file, tmp_path):
    short, folder = tmp_path / "short", tmp_path / "folder"
    short.write_text("15 bytes of key")
    short.chmod(0o600)
    folder.mkdir(0o700)
    for path, words in (
        ("key", "expected an absolute path"),
        (tmp_path / "none", "openssl rand -hex 32"),
        (short, "holds 15 bytes, expected 16"),
        (folder, "is a folder"),
        ("/dev/zero", "/dev/zero is a device"),
    ):
        with pytest.raises(KeyFileError, match=words):
            read_key(str(path))
    key_file.chmod(0o640)
    with pytest.raises(KeyFileError, match="mode 0640, so others may use it"):
        read_key(str(key_file))


def test_the_parameter_of_the_interface_names_what_is_wrong(cart, key_file):
    interface = UDP(cart)
    for parameter in interface.parameters.values():
        if parameter.name == "key_file":
            parameter.value = str(key_file)
    interface.configure()
    key_file.unlink()
    with pytest.raises(RobotInterfaceError, match="key_file: there is no file"):
        interface.configure()
