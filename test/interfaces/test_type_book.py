"""Messages: making, checking, encoding, decoding, and plain values."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rosbags.typesys.store import Typestore
from tries import tries

from controlit_ros.interfaces import (
    Cardinality,
    DecodeError,
    DefinitionError,
    FieldError,
    TypeBook,
    UnknownTypeError,
    decode,
    encode,
    from_dict,
    new,
    to_dict,
    type_book,
)
from controlit_ros.interfaces.values import DTYPES
from controlit_ros.share import share_directory

JOINTS = "sensor_msgs/msg/JointState"
BOOK = type_book()
ROSBAGS = Typestore()  # writes the same bytes, by other means
ROSBAGS.types, ROSBAGS.fielddefs = BOOK._decoder.types, BOOK._decoder.fielddefs
SOURCE = Path(__file__).parents[2]


def scalars(field):
    if field.base == "string":
        size = field.string_capacity or 8
        alphabet = st.characters(codec="utf-8" if not field.string_capacity else "ascii")
        return st.text(alphabet, max_size=size)
    dtype = DTYPES[field.base]
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "f":
        return st.floats(width=dtype.itemsize * 8)
    limits = np.iinfo(dtype)
    return st.integers(int(limits.min), int(limits.max))


def plain_values(type_name):
    fields = {}
    for name, field in BOOK.definition(type_name).fields.items():
        element = plain_values(field.base) if field.nested else scalars(field)
        if field.cardinality is Cardinality.SCALAR:
            fields[name] = element
        elif field.cardinality is Cardinality.ARRAY:
            fields[name] = st.lists(element, min_size=field.capacity, max_size=field.capacity)
        else:
            fields[name] = st.lists(element, max_size=min(field.capacity or 2, 2))
    return st.fixed_dictionaries(fields)


@pytest.mark.parametrize("type_name", BOOK.message_types)
def test_defaults_survive_the_wire_and_plain_values(type_name):
    message = new(type_name)
    assert decode(type_name, encode(type_name, message)) == message
    assert from_dict(type_name, to_dict(message)) == message
    json.dumps(to_dict(message))


@pytest.mark.thorough
@settings(
    deadline=None,
    max_examples=tries(400),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
@given(st.sampled_from(BOOK.message_types), st.data())
def test_random_messages_survive_the_wire_and_plain_values(type_name, data):
    values = data.draw(plain_values(type_name))
    message = from_dict(type_name, values)
    data = encode(type_name, message)
    assert data == bytes(ROSBAGS.serialize_cdr(message, type_name))
    received = decode(type_name, data)
    assert received == message
    assert from_dict(type_name, to_dict(received)) == message


def test_bytes_are_those_of_ros():
    message = new("geometry_msgs/msg/PointStamped", header={"frame_id": "ab"}, point={"x": 1.0})
    expected = "00010000" + "00000000" + "00000000" + "03000000" + "616200" + "00"
    expected += "000000000000f03f" + "00" * 16
    assert encode("geometry_msgs/msg/PointStamped", message).hex() == expected


class TestNew:
    def test_defaults(self):
        message = new(JOINTS)
        assert message.header.stamp.sec == 0
        assert message.header.frame_id == ""
        assert message.name == []
        assert message.position.dtype == np.float64
        assert new("geometry_msgs/msg/PoseWithCovariance").covariance.shape == (36,)
        assert new("geometry_msgs/msg/Pose").orientation.w == 1.0
        assert new("sensor_msgs/msg/NavSatStatus").status == -2

    def test_defaults_are_not_shared(self):
        first, second = new(JOINTS), new(JOINTS)
        first.name.append("a")
        first.header.frame_id = "b"
        assert second == new(JOINTS)

    def test_nested_values(self):
        point = new("geometry_msgs/msg/Point", x=1.0)
        message = new("geometry_msgs/msg/Polygon", points=[{"x": 1.0}, {"y": 2}])
        assert [p.y for p in message.points] == [0.0, 2.0]
        assert new("geometry_msgs/msg/Pose", position=point).position is point

    def test_rows_of_an_array_are_points(self):
        rows = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        message = new("visualization_msgs/msg/Marker", points=rows)
        assert [(p.x, p.y, p.z) for p in message.points] == [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)]
        assert encode(message.__type_name__, message) == encode(
            message.__type_name__,
            new(message.__type_name__, points=[dict(zip("xyz", row, strict=True)) for row in rows]),
        )

    @pytest.mark.parametrize(
        "rows", [np.zeros(3), np.zeros((2, 2)), np.zeros((2, 3), int), np.zeros((1, 2, 3))]
    )
    def test_other_arrays_are_no_points(self, rows):
        with pytest.raises(FieldError, match="points: found"):
            new("visualization_msgs/msg/Marker", points=rows)

    def test_constants(self):
        marker = new("visualization_msgs/msg/Marker")
        assert marker.ARROW == 0
        assert marker.DELETEALL == 3
        assert BOOK.constants("visualization_msgs/msg/Marker")["SPHERE"] == 2

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"postion": [1.0]}, "'postion' (did you mean 'position'?)"),
            ({"header": {"frame": "a"}}, "'header.frame' (did you mean 'frame_id'?)"),
            ({"header": {"stamp": {"sec": 0.5}}}, "header.stamp.sec: found 0.5 (float)"),
            ({"header": {"stamp": {"sec": True}}}, "header.stamp.sec: found True (bool)"),
            ({"header": {"stamp": {"sec": 2**31}}}, "header.stamp.sec: 2147483648 is out of"),
            ({"header": {"stamp": {"nanosec": -1}}}, "header.stamp.nanosec: -1 is out of"),
            ({"header": {"frame_id": 3}}, "header.frame_id: found 3 (int), expected string"),
            ({"header": 3}, "header: found 3 (int), expected std_msgs/msg/Header"),
            ({"name": "left"}, "name: found 'left' (str), expected string[]"),
            ({"name": ["a", 1]}, "name[1]: found 1 (int)"),
            ({"position": ["a"]}, "position: found ['a'] (list), expected float64[]"),
            ({"position": 1.0}, "position: found 1.0 (float), expected float64[]"),
            ({"position": [[1.0], [1.0, 2.0]]}, "position: found"),
            ({"position": None}, "position: found None"),
            ({"position": [True]}, "position: found [True]"),
        ],
    )
    def test_error_names_the_field(self, fields, message):
        with pytest.raises(FieldError, match=re.escape(message)):
            new(JOINTS, **fields)

    def test_unknown_type(self):
        with pytest.raises(UnknownTypeError, match="did you mean 'std_msgs/msg/String'"):
            new("std_msgs/msg/Strng")


class TestCoercion:
    @pytest.mark.parametrize(
        "value",
        [
            [1, 2, 3],
            (1, 2.0, 3),
            np.array([1, 2, 3]),
            np.array([1, 2, 3], np.int8),
            np.array([1, 2, 3], np.float32),
            np.array([[1.0], [2.0], [3.0]]),
            np.array([1.0, 0.0, 2.0, 0.0, 3.0])[::2],
            np.array([1, 2, 3], ">f8"),
        ],
    )
    def test_anything_like_numbers_is_sent_as_float64(self, value):
        by_argument = new(JOINTS, position=value)
        by_attribute = new(JOINTS)
        by_attribute.position = value
        for message in (by_argument, by_attribute):
            received = decode(JOINTS, encode(JOINTS, message))
            assert received.position.tolist() == [1.0, 2.0, 3.0]
            assert received.position.dtype == np.float64

    def test_changed_names_are_sent(self):
        message = new(JOINTS, name=["a", "b"])
        for names in (["a", "b"], ["a", "c"], ["a"], [], ["a", "b"]):
            message.name = names
            assert decode(JOINTS, encode(JOINTS, message)).name == names
        message.name[0] = "z"
        assert decode(JOINTS, encode(JOINTS, message)).name == ["z", "b"]

    def test_coercion_reaches_nested_messages(self):
        message = new("trajectory_msgs/msg/JointTrajectory", points=[{}, {}])
        message.points[1].positions = np.array([1, 2])
        received = decode(message.__type_name__, encode(message.__type_name__, message))
        assert received.points[1].positions.tolist() == [1.0, 2.0]

    @pytest.mark.parametrize("value", [[1.5], np.array([1.0]), [2**31], ["1"], [None]])
    def test_integers_must_be_integers_that_fit(self, value):
        with pytest.raises(FieldError, match="data"):
            new("std_msgs/msg/Int32MultiArray", data=value)
        message = new("std_msgs/msg/Int32MultiArray")
        message.data = value
        with pytest.raises(FieldError, match="data"):
            encode("std_msgs/msg/Int32MultiArray", message)

    def test_bytes_are_uint8(self):
        message = new("sensor_msgs/msg/Image", data=b"\x00\xff")
        assert decode(message.__type_name__, encode(message.__type_name__, message)) == message
        assert message.data.tolist() == [0, 255]
        assert new("std_msgs/msg/ByteMultiArray", data=[200]).data.tolist() == [200]
        assert new("std_msgs/msg/Byte", data=200).data == 200

    def test_wrong_lengths_are_refused(self):
        with pytest.raises(FieldError, match="covariance: found 35 values, expected 36"):
            new("geometry_msgs/msg/PoseWithCovariance", covariance=np.zeros(35))
        message = new("geometry_msgs/msg/PoseWithCovariance")
        message.covariance = np.zeros(35)
        with pytest.raises(FieldError, match="expected 36"):
            encode("geometry_msgs/msg/PoseWithCovariance", message)
        with pytest.raises(FieldError, match="expected at most 3"):
            new("shape_msgs/msg/SolidPrimitive", dimensions=[1.0] * 4)
        with pytest.raises(FieldError, match="expected at most 1"):
            new("rcl_interfaces/msg/ParameterDescriptor", integer_range=[{}, {}])

    def test_bounded_strings(self, tmp_path):
        book = TypeBook(tmp_path)
        book.define("x/msg/A", "string<=3 a\nstring<=2[<=2] b\n")
        assert book.new("x/msg/A", a="abc", b=["ab"]).a == "abc"
        for fields in ({"a": "abcd"}, {"b": ["abc"]}, {"b": ["a", "b", "c"]}):
            with pytest.raises(FieldError, match="at most"):
                book.new("x/msg/A", **fields)
            message = book.new("x/msg/A")
            for name, value in fields.items():
                setattr(message, name, value)
            with pytest.raises(FieldError, match="at most"):
                book.encode("x/msg/A", message)

    @pytest.mark.parametrize(
        ("assign", "path"),
        [
            (lambda m: setattr(m.header.stamp, "sec", 1.5), "header.stamp.sec"),
            (lambda m: setattr(m.header, "frame_id", None), "header.frame_id"),
            (lambda m: setattr(m, "header", 1), "header"),
            (lambda m: setattr(m, "name", "left"), "name"),
            (lambda m: setattr(m, "name", ["a", 1]), r"name\[1\]"),
            (lambda m: setattr(m, "position", ["a"]), "position"),
        ],
    )
    def test_error_of_encode_names_the_field(self, assign, path):
        message = new(JOINTS)
        assign(message)
        with pytest.raises(FieldError, match=f"^{path}: found"):
            encode(JOINTS, message)

    def test_large_float32_is_refused(self):
        with pytest.raises(FieldError, match="float32"):
            new("std_msgs/msg/Float32", data=1e39)
        assert math.isinf(new("std_msgs/msg/Float32", data=math.inf).data)

    def test_wrong_message_is_refused(self):
        with pytest.raises(FieldError, match="std_msgs/msg/Bool"):
            encode(JOINTS, new("std_msgs/msg/Bool"))
        with pytest.raises(FieldError, match="int"):
            encode(JOINTS, 3)

    def test_misspelt_attribute_is_refused(self):
        message = new(JOINTS)
        with pytest.raises(AttributeError):
            message.postion = [1.0]
        with pytest.raises(AttributeError, match="its fields: header, name, position"):
            _ = message.postion


class TestDecode:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\x00\x01\x00",
            b"\x00\x01\x00\x00",
            b"\x00\x07\x00\x00" + bytes(64),
            b"\x00\x01\x00\x00" + b"\xff" * 64,
            b"\x00\x01\x00\x00" + bytes(8) + b"\x01\x00\x00\x00\x00" + b"\xff" * 16,
        ],
    )
    def test_garbage_is_refused(self, data):
        with pytest.raises(DecodeError, match=JOINTS):
            decode(JOINTS, data)

    @settings(deadline=None, max_examples=tries(300), derandomize=True)
    @given(st.binary(max_size=80))
    def test_garbage_never_does_anything_else(self, data):
        try:
            decode(JOINTS, b"\x00\x01\x00\x00" + data)
        except DecodeError:
            return

    def test_what_follows_a_message_is_left_where_more_may_follow(self):
        sent = new(JOINTS, name=["elbow"], position=[1.0])
        data = encode(JOINTS, sent)
        for more in range(12):
            received = BOOK.decode(JOINTS, data + b"\xff" * more, may_go_on=True)
            assert to_dict(received) == to_dict(sent)
        with pytest.raises(DecodeError, match=JOINTS):
            decode(JOINTS, data + bytes(4))
        with pytest.raises(DecodeError, match=JOINTS):
            BOOK.decode(JOINTS, data[:-1], may_go_on=True)

    def test_arrays_of_received_messages_are_read_only(self):
        received = decode(JOINTS, encode(JOINTS, new(JOINTS, position=[1.0])))
        with pytest.raises(ValueError, match="read-only"):
            received.position[0] = 2.0

    def test_big_endian(self):
        data = b"\x00\x00\x00\x00" + b"\x00\x00\x00\x07"
        assert decode("std_msgs/msg/Int32", data).data == 7


class TestPlainValues:
    def test_shape(self):
        assert to_dict(new("std_msgs/msg/Header", frame_id="base")) == {
            "stamp": {"sec": 0, "nanosec": 0},
            "frame_id": "base",
        }

    def test_missing_fields_have_their_defaults(self):
        assert from_dict(JOINTS, {}) == new(JOINTS)


class TestDefinitions:
    def test_own_types(self):
        latency = new("controlit/msg/ServoComputeLatency", total=0.5)
        assert latency.compute_command == 0.0
        response = BOOK.service("controlit/srv/GetTaskParameters").response
        message = new(response, parameters=[{"owner": "Posture", "shape": [2]}], priorities=[1])
        assert decode(response, encode(response, message)) == message

    def test_own_files_are_named_by_the_rules(self):
        for kind in ("msg", "srv", "action"):
            for path in (SOURCE / kind).iterdir():
                assert re.fullmatch(rf"[A-Z][A-Za-z0-9]*\.{kind}", path.name)
        for name in [*BOOK.message_types, *BOOK.service_types]:
            if name.startswith("controlit/msg"):
                for field in BOOK.definition(name).fields:
                    assert re.fullmatch(r"[a-z](_?[a-z0-9])*", field)

    def test_services(self):
        service = BOOK.service("std_srvs/srv/SetBool")
        assert service.request == "std_srvs/srv/SetBool_Request"
        assert new(service.response, success=True).message == ""
        with pytest.raises(UnknownTypeError, match="SetBool"):
            BOOK.service("std_srvs/srv/SetBol")

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("A", "int32 a"),
            ("x/A", "int32 a"),
            ("x/action/A", "int32 a"),
            ("x/msg/A", "what is this"),
            ("x/srv/A", "int32 a"),
            ("x/srv/A", "---\n---\n"),
            ("std_msgs/msg/String", "int32 data"),
        ],
    )
    def test_nonsense_is_refused(self, tmp_path, name, text):
        with pytest.raises(DefinitionError):
            TypeBook(tmp_path).define(name, text)

    def test_default_values(self, tmp_path):
        book = TypeBook(tmp_path)
        book.define("x/msg/A", 'int32 a 5\nfloat64[2] b [1, 2]\nstring c "text"\nbool d true\n')
        message = book.new("x/msg/A")
        assert (message.a, message.c, message.d) == (5, "text", True)
        assert message.b.tolist() == [1.0, 2.0]

    def test_same_definition_again_is_accepted(self, tmp_path):
        TypeBook(tmp_path).define("std_msgs/msg/String", "# as before\nstring data\n")

    def test_unknown_types_of_fields_are_reported(self, tmp_path):
        (tmp_path / "msg").mkdir()
        (tmp_path / "msg" / "A.msg").write_text("std_msgs/Heade header\n")
        with pytest.raises(DefinitionError, match="std_msgs/msg/Header"):
            TypeBook(tmp_path)

    def test_python_keywords_get_an_underscore(self, tmp_path):
        book = TypeBook(tmp_path)
        book.define("x/msg/A", "int32 from\nint32 lambda\n")
        message = book.new("x/msg/A", from_=3)
        assert book.decode("x/msg/A", book.encode("x/msg/A", message)).from_ == 3


def test_share_directory_holds_the_messages():
    assert (share_directory() / "msg" / "ParameterInfo.msg").is_file()
