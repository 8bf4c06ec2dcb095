"""Datagrams: whole vectors of this robot only, each once, the newest last."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.robots.channel import layout_number
from controlit_ros.robots.datagram import DatagramReader, DatagramVerdict, DatagramWriter
from controlit_ros.robots.layout import Layout
from controlit_ros.robots.seal import ChecksumSeal, KeySeal, NoSeal

LAYOUT = Layout("state", ("slide", "turn"), 5)
SENSED = Layout("state", ("slide", "turn"), 11, ("foot",))


def receive(reader, content):
    content = bytes(content)[: len(reader.buffer)]  # as the system cuts what is too long
    reader.buffer[: len(content)] = content
    return reader.judge(len(content))


def datagrams(count, session=7, layout=LAYOUT):
    writer = DatagramWriter(layout, session)
    made = []
    for number in range(1, count + 1):
        writer.write(np.full(layout.size, float(number)))
        made.append(bytes(writer.buffer))
    return made


def test_the_bytes_are_those_of_the_documentation():
    writer = DatagramWriter(LAYOUT, session=0x1122334455667788)
    writer.write(np.arange(5.0))
    content = bytes(writer.buffer)
    assert len(content) == 48 + 8 * 5
    assert content[:4] == b"CTLT"
    assert struct.unpack_from("<HBB", content, 4) == (1, 1, 0)
    assert struct.unpack_from("<QQQ", content, 8) == (
        layout_number("state slide,turn"),
        0x1122334455667788,
        1,
    )
    assert struct.unpack_from("<II", content, 40) == (2, 5)
    assert struct.unpack_from("<5d", content, 48) == (0.0, 1.0, 2.0, 3.0, 4.0)


def test_layout_number_is_fnv_1a():
    # test vectors of the authors of FNV
    assert layout_number("") == 0xCBF29CE484222325
    assert layout_number("a") == 0xAF63DC4C8601EC8C
    assert layout_number("foobar") == 0x85944171F73967E8


def test_a_vector_arrives_whole():
    reader = DatagramReader(LAYOUT)
    assert receive(reader, datagrams(3)[2]) is DatagramVerdict.NEW
    np.testing.assert_array_equal(reader.values, 3.0)


@given(order=st.lists(st.integers(0, 15), min_size=1, max_size=60))
def test_any_order_gives_each_number_at_most_once_and_growing(order):
    """Against the plain rule: new is what is larger than all before."""
    sent = datagrams(16)
    reader = DatagramReader(LAYOUT)
    newest, lost = 0, 0
    for i in order:
        verdict = receive(reader, sent[i])
        number = i + 1
        if number > newest:
            assert verdict is DatagramVerdict.NEW
            assert reader.values[0] == number
            lost += reader.skipped
            newest = number
        elif number == newest:
            assert verdict is DatagramVerdict.DUPLICATE
        else:
            assert verdict is DatagramVerdict.REORDERED
    numbers = [i + 1 for i in order]
    climbs = {n for k, n in enumerate(numbers) if n > max(numbers[:k], default=0)}
    assert lost == newest - numbers[0] + 1 - len(climbs)


@given(st.binary(max_size=200))
def test_no_noise_is_a_datagram(noise):
    reader = DatagramReader(LAYOUT)
    assert receive(reader, noise) is DatagramVerdict.MALFORMED
    assert str(reader.refusal)


SEALS = {"none": NoSeal, "checksum": ChecksumSeal, "key": lambda: KeySeal(b"a key of some length")}


@pytest.mark.parametrize("kind", SEALS)
def test_the_seal_is_named_in_the_head(kind):
    writer = DatagramWriter(LAYOUT, 7, SEALS[kind]())
    writer.write(np.ones(5))
    assert writer.buffer[7] == list(SEALS).index(kind)
    for other, make in SEALS.items():
        if other != kind:
            reader = DatagramReader(LAYOUT, make())
            assert receive(reader, writer.buffer) is DatagramVerdict.MALFORMED
            assert "seal (0 none, 1 checksum, 2 key: checksum and key_file" in str(reader.refusal)


@given(data=st.data(), kind=st.sampled_from(["checksum", "key"]))
def test_a_datagram_changed_anywhere_is_refused(data, kind):
    """Numbers and values as well: not one bit of them is believed."""
    made = SEALS[kind]()
    writer, reader = DatagramWriter(LAYOUT, 7, made), DatagramReader(LAYOUT, made)
    writer.write(np.full(5, 0.5))
    content = bytearray(writer.buffer)
    bits = data.draw(st.sets(st.integers(0, 8 * len(content) - 1), min_size=1, max_size=3))
    for bit in bits:
        content[bit // 8] ^= 1 << bit % 8
    assert receive(reader, content) is DatagramVerdict.MALFORMED
    assert str(reader.refusal)


@given(position=st.integers(0, 15), change=st.integers(1, 255))
def test_a_changed_head_is_refused(position, change):
    content = bytearray(datagrams(1)[0])
    content[position] ^= change
    assert receive(DatagramReader(LAYOUT), content) is DatagramVerdict.MALFORMED


def test_refusals_name_what_was_found():
    reader = DatagramReader(LAYOUT)
    good = datagrams(1)[0]
    for content, words in (
        (good[:20], ["length", "20", "88"]),
        (good[:-1], ["length", "87", "88"]),
        (good + b"x", ["length", "89", "88"]),
        (b"XXXX" + good[4:], ["magic", "XXXX", "CTLT"]),
        (good[:4] + struct.pack("<H", 9) + good[6:], ["version", "9", "1"]),
        (datagrams(1, layout=Layout("state", ("a",), 5))[0], ["joints", "found 1", "expected 2"]),
        (datagrams(1, layout=Layout("state", ("a", "b"), 5))[0], ["layout"]),
        (datagrams(1, layout=Layout("state", ("slide", "turn"), 4))[0], ["values", "4", "5"]),
        (datagrams(1, layout=LAYOUT._replace(kind="command"))[0], ["kind", "found 2"]),
        (
            datagrams(1, layout=SENSED._replace(sensors=()))[0],
            ["layout", "contacts that are sensed"],
        ),
    ):
        reader = DatagramReader(SENSED if "contacts that are sensed" in words else LAYOUT)
        assert receive(reader, content) is DatagramVerdict.MALFORMED
        for word in words:
            assert word in str(reader.refusal)


def test_robots_with_and_without_sensors_are_told_apart():
    assert SENSED.text == "state slide,turn wrenches foot"
    assert SENSED.required == LAYOUT.size
    for sent, expected in ((LAYOUT, SENSED), (SENSED, LAYOUT)):
        reader = DatagramReader(expected)
        assert receive(reader, datagrams(1, layout=sent)[0]) is DatagramVerdict.MALFORMED
        assert "6 for each contact that is sensed" in str(reader.refusal)
        assert f"found {sent.size}, expected {expected.size}" in str(reader.refusal)


def test_robots_with_and_without_an_inertial_unit_are_told_apart():
    feeling = LAYOUT._replace(size=LAYOUT.size + 6, imu="pelvis")
    assert feeling.text == "state slide,turn imu pelvis"
    assert feeling.required == LAYOUT.required == LAYOUT.size
    assert feeling.number != LAYOUT.number
    reader = DatagramReader(feeling)
    assert receive(reader, datagrams(1)[0]) is DatagramVerdict.MALFORMED
    assert "6 for an inertial measurement unit" in str(reader.refusal)


def test_a_sender_that_starts_anew_is_heard_and_its_former_life_is_not():
    reader = DatagramReader(LAYOUT)
    former, present = datagrams(5, session=10), datagrams(4, session=11)
    assert receive(reader, former[3]) is DatagramVerdict.NEW
    verdicts = [receive(reader, content) for content in present[:3]]
    assert verdicts == [
        DatagramVerdict.STALE,
        DatagramVerdict.STALE,
        DatagramVerdict.NEW,
    ]  # one alone could be forged
    assert reader.skipped == 0
    assert receive(reader, former[4]) is DatagramVerdict.STALE
    assert receive(reader, present[3]) is DatagramVerdict.NEW


def test_after_forgetting_an_older_clock_counts():
    reader = DatagramReader(LAYOUT)
    assert receive(reader, datagrams(1, session=10)[0]) is DatagramVerdict.NEW
    assert receive(reader, datagrams(1, session=3)[0]) is DatagramVerdict.STALE
    reader.forget()
    assert receive(reader, datagrams(1, session=3)[0]) is DatagramVerdict.NEW


def test_recordings_of_this_life_are_worth_nothing_after_a_silence():
    """Whoever cuts the cable for a second and plays back what he heard before."""
    servo, robot = KeySeal(b"a key of some length"), KeySeal(b"a key of some length")
    sent, answers = DatagramWriter(LAYOUT, 7, servo), DatagramWriter(LAYOUT, 9, robot)
    reader, ears = DatagramReader(LAYOUT, robot), DatagramReader(LAYOUT, servo)
    answers.write(np.zeros(5))
    receive(ears, answers.buffer)
    recorded = []
    for number in range(20):
        sent.write(np.full(5, float(number)))
        recorded.append(bytes(sent.buffer))
        assert receive(reader, recorded[-1]) is DatagramVerdict.NEW
    reader.forget()
    assert {receive(reader, content) for content in recorded} == {DatagramVerdict.STALE}
    answers.write(np.zeros(5))
    receive(ears, answers.buffer)
    sent.write(np.zeros(5))
    assert receive(reader, sent.buffer) is DatagramVerdict.NEW
