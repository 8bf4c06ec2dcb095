"""Every message type a parameter can travel as, in both directions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings.conversion import conversion, default_message_type
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import decode, encode, new
from controlit_ros.parameters import Kind, Parameter, ParameterError, Quantity

STAMP = 12.25
GEOMETRY = "geometry_msgs/msg/"
PARAMETERS = {
    "number": Parameter("number", 0.0),
    "count": Parameter("count", 0, kind=Kind.INTEGER),
    "flag": Parameter("flag", False, kind=Kind.BOOLEAN),
    "text": Parameter("text", "", kind=Kind.TEXT),
    "plain": Parameter("plain", 0.0, shape=(4,), broadcast=True),
    "single": Parameter("single", 0.0, shape=(1,)),
    "point": Parameter("point", [0, 0, 0], shape=(3,), quantity=Quantity.POINT),
    "vector": Parameter("vector", [0, 0, 0], shape=(3,), quantity=Quantity.VECTOR),
    "direction": Parameter(
        "direction", [1, 0, 0], shape=(3,), quantity=Quantity.VECTOR, unit_length=True
    ),
    "triple": Parameter("triple", [0, 0, 0], shape=(3,)),
    "quaternion": Parameter(
        "quaternion", [0, 0, 0, 1], shape=(4,), quantity=Quantity.QUATERNION, unit_length=True
    ),
    "wrench": Parameter("wrench", 0.0, shape=(6,), broadcast=True),
    "walk": Parameter("walk", 0.0, shape=(3,), broadcast=True, quantity=Quantity.PLANAR_TWIST),
    "steps": Parameter("steps", 0.0, shape=(14,), broadcast=True, quantity=Quantity.FOOTSTEPS),
    "angles": Parameter("angles", 0.0, shape=(2,), broadcast=True, labels=("a", "b"), unit="rad"),
    "rates": Parameter("rates", 0.0, shape=(2,), broadcast=True, labels=("a", "b"), unit="rad/s"),
    "efforts": Parameter("efforts", 0.0, shape=(2,), broadcast=True, labels=("a", "b"), unit="N m"),
    "gains": Parameter("gains", 0.0, shape=(2,), broadcast=True, labels=("a", "b"), unit="1/s²"),
}
ARRAY = "std_msgs/msg/Float64MultiArray"
JOINT_STATE = "sensor_msgs/msg/JointState"
TRIPLES = [f"{GEOMETRY}{n}{s}" for n in ("Point", "Vector3", "Wrench") for s in ("", "Stamped")]
MARKERS = [
    f"visualization_msgs/msg/{n}" for n in ("InteractiveMarkerFeedback", "Marker", "MarkerArray")
]
FITTING = {
    "number": ["std_msgs/msg/Float64"],
    "count": ["std_msgs/msg/Int32"],
    "flag": ["std_msgs/msg/Bool"],
    "text": ["std_msgs/msg/String"],
    "plain": [ARRAY],
    "single": [ARRAY, "std_msgs/msg/Float64"],
    "point": [*TRIPLES, f"{GEOMETRY}Pose", f"{GEOMETRY}PoseStamped", ARRAY, *MARKERS],
    "direction": [*TRIPLES, ARRAY, *MARKERS],
    "vector": [*TRIPLES, ARRAY],
    "triple": [*TRIPLES, ARRAY],
    "quaternion": [
        f"{GEOMETRY}Quaternion", f"{GEOMETRY}QuaternionStamped",
        f"{GEOMETRY}Pose", f"{GEOMETRY}PoseStamped", ARRAY, *MARKERS,
    ],
    "wrench": [f"{GEOMETRY}Wrench", f"{GEOMETRY}WrenchStamped", ARRAY],
    "walk": [f"{GEOMETRY}Twist", *TRIPLES, ARRAY],
    "steps": ["controlit/msg/FootstepPlan", ARRAY],
    "angles": [JOINT_STATE, ARRAY],
    "rates": [JOINT_STATE, ARRAY],
    "efforts": [JOINT_STATE, ARRAY],
    "gains": [ARRAY],
}  # fmt: skip
PAIRS = [(name, type_name) for name, types in FITTING.items() for type_name in types]
VALUES = {
    "number": -2.5,
    "count": 7,
    "flag": True,
    "text": "enable",
    "plain": [1.0, 2.0, 3.0, 4.0],
    "single": [0.75],
    "quaternion": [0.5, 0.5, -0.5, 0.5],
    "wrench": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "direction": [0.6, 0.0, -0.8],
    "steps": [1.0, 0.3, 0.1, 0.15, 0.2, 0.1, 0.0, -1.0, 0.6, -0.1, 0.3, -0.2, 0.0, -0.1],
    **{name: [0.1, -0.2, 0.3] for name in ("point", "vector", "triple", "walk")},
}


def value_of(name):
    return VALUES.get(name, [0.5, -0.25])


def sent(name, type_name):
    """Return the value of a parameter as a message that went over a wire."""
    value = value_of(name)
    parameter = PARAMETERS[name]
    travel = conversion(parameter, type_name)
    message = travel.to_message(np.array(value) if parameter.is_array else value, STAMP)
    return travel, decode(type_name, encode(type_name, message))


@pytest.mark.parametrize(("name", "type_name"), PAIRS)
def test_there_and_back(name, type_name):
    travel, message = sent(name, type_name)
    parameter = PARAMETERS[name]
    parameter.set(parameter.default)
    parameter.set(travel.from_message(message))
    assert parameter.snapshot() == pytest.approx(value_of(name), abs=1e-15)


@pytest.mark.parametrize(("name", "type_name"), PAIRS)
def test_headers_say_when_and_where(name, type_name):
    _, message = sent(name, type_name)
    if hasattr(message, "header"):
        assert (message.header.stamp.sec, message.header.stamp.nanosec) == (12, 250_000_000)
        assert message.header.frame_id == ("" if type_name == JOINT_STATE else "world")
    else:
        assert not type_name.endswith("Stamped")
        if hasattr(message, "markers"):
            assert message.markers[0].header.frame_id == "world"


@pytest.mark.parametrize(("name", "type_name"), PAIRS)
def test_what_only_copies_is_encoded_once(name, type_name):
    parameter = PARAMETERS[name]
    travel = conversion(parameter, type_name)
    is_derived = (
        type_name in MARKERS or "Footstep" in type_name or name in {"count", "flag", "text"}
    )
    assert travel.copies is not is_derived
    if travel.copies:
        values = np.atleast_1d(value_of(name))

        def make(values, stamp):
            return travel.to_message(values if parameter.is_array else float(values[0]), stamp)

        form = MessageForm(make, values.size)
        form.encode(np.zeros(values.size), 0.0)
        assert bytes(form.encode(values, STAMP)) == encode(type_name, make(values, STAMP))


def test_parts_of_messages():
    """Independent of the way back: which numbers stand where."""
    _, pose = sent("point", f"{GEOMETRY}PoseStamped")
    assert (pose.pose.position.x, pose.pose.position.z) == (0.1, 0.3)
    assert pose.pose.orientation.w == 1.0
    _, pose = sent("quaternion", f"{GEOMETRY}Pose")
    assert (pose.orientation.x, pose.orientation.z, pose.orientation.w) == (0.5, -0.5, 0.5)
    _, wrench = sent("wrench", f"{GEOMETRY}Wrench")
    assert (wrench.force.y, wrench.torque.z) == (2.0, 6.0)
    _, twist = sent("walk", f"{GEOMETRY}Twist")
    assert (twist.linear.x, twist.linear.y, twist.angular.z) == (0.1, -0.2, 0.3)
    assert (twist.linear.z, twist.angular.x, twist.angular.y) == (0.0, 0.0, 0.0)
    _, wrench = sent("vector", f"{GEOMETRY}Wrench")
    assert (wrench.force.y, wrench.torque.z) == (-0.2, 0.0)
    for name, field in (("angles", "position"), ("rates", "velocity"), ("efforts", "effort")):
        _, state = sent(name, JOINT_STATE)
        assert state.name == ["a", "b"]
        filled = {f for f in ("position", "velocity", "effort") if len(getattr(state, f))}
        assert filled == {field}


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_default_type_fits(name):
    parameter = PARAMETERS[name]
    assert conversion(parameter).type_name == default_message_type(parameter)
    assert default_message_type(parameter) in FITTING[name]


@pytest.mark.parametrize("name", PARAMETERS)
def test_no_other_type_fits(name):
    every = {type_name for types in FITTING.values() for type_name in types}
    for type_name in every - set(FITTING[name]):
        with pytest.raises(ConversionError, match=f"{name} cannot travel as '{type_name}'"):
            conversion(PARAMETERS[name], type_name)


def test_lists_of_free_length_cannot_travel():
    with pytest.raises(ConversionError, match="is a list and cannot be bound"):
        conversion(Parameter("joints", [], kind=Kind.TEXT, shape=(None,)))


@pytest.mark.parametrize("frame", ["", "world", "map", "odom"])
def test_frames_that_are_the_world(frame):
    type_name = f"{GEOMETRY}PointStamped"
    message = new(type_name, header={"frame_id": frame}, point={"x": 1.0})
    assert conversion(PARAMETERS["point"], type_name).from_message(message).tolist() == [1, 0, 0]


def test_markers_show_where_a_parameter_is():
    """Independent of the way back: what RViz draws."""
    _, ball = sent("point", f"{MARKERS[1]}")
    assert (ball.type, ball.action, ball.scale.x) == (2, 0, 0.04)
    assert (ball.pose.position.x, ball.pose.position.y) == (0.1, -0.2)
    _, arrows = sent("direction", MARKERS[2])
    (arrow,) = arrows.markers
    assert arrow.type == 0
    turn = arrow.pose.orientation
    x, y, z, w = turn.x, turn.y, turn.z, turn.w
    x_axis = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
    np.testing.assert_allclose(x_axis, value_of("direction"), atol=1e-12)


def test_goals_are_green_and_what_is_measured_is_blue():
    for name, color in (("goal_position", "g"), ("actual_position", "b")):
        parameter = Parameter(name, 0.0, shape=(3,), broadcast=True, quantity=Quantity.POINT)
        marker = conversion(parameter, MARKERS[1]).to_message(np.zeros(3), 0.0)
        assert max("rgb", key=lambda c: getattr(marker.color, c)) == color


@pytest.mark.parametrize("event", [0, 2, 3, 4, 5])
def test_only_dragging_a_marker_says_something(event):
    travel = conversion(PARAMETERS["point"], MARKERS[0])
    assert travel.from_message(new(MARKERS[0], event_type=event)) is None
    dragged = new(MARKERS[0], event_type=1, pose={"position": {"x": 0.5}})
    np.testing.assert_array_equal(travel.from_message(dragged), [0.5, 0, 0])


def test_a_deleted_marker_says_nothing():
    travel = conversion(PARAMETERS["point"], MARKERS[1])
    assert travel.from_message(new(MARKERS[1], action=2)) is None


@pytest.mark.parametrize(
    ("name", "message", "reason"),
    [
        ("point", new(MARKERS[2]), "found 0 markers, expected 1"),
        (
            "direction",
            new(MARKERS[1], pose={"orientation": {"w": 0.0}}),
            "no direction",
        ),
        ("point", new(MARKERS[0], event_type=1, header={"frame_id": "hand"}), "frame_id 'hand'"),
    ],
)
def test_markers_that_do_not_fit(name, message, reason):
    travel = conversion(PARAMETERS[name], message.__type_name__)
    with pytest.raises(ConversionError, match=reason):
        travel.from_message(message)


STAMPED = [pair for pair in PAIRS if pair[1].endswith("Stamped")]


@pytest.mark.parametrize(("name", "type_name"), STAMPED)
def test_other_frames_are_refused(name, type_name):
    message = new(type_name, header={"frame_id": "left_wrist_yaw"})
    with pytest.raises(ConversionError, match="found frame_id 'left_wrist_yaw', expected 'world'"):
        conversion(PARAMETERS[name], type_name).from_message(message)


def refused(name, type_name, /, **fields):
    """Return why a message does not fit."""
    parameter = PARAMETERS[name]
    with pytest.raises((ConversionError, ParameterError)) as caught:
        parameter.validate(conversion(parameter, type_name).from_message(new(type_name, **fields)))
    return str(caught.value)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(bad):
    assert "not finite" in refused("number", "std_msgs/msg/Float64", data=bad)
    assert "not finite" in refused("plain", ARRAY, data=[0, bad, 0, 0])
    assert "not finite" in refused("point", f"{GEOMETRY}Point", y=bad)
    assert "not finite" in refused("vector", f"{GEOMETRY}Vector3Stamped", vector={"z": bad})
    assert "not finite" in refused("point", f"{GEOMETRY}PoseStamped", pose={"position": {"x": bad}})
    assert "not finite" in refused("quaternion", f"{GEOMETRY}Quaternion", x=bad)
    assert "not finite" in refused("wrench", f"{GEOMETRY}Wrench", torque={"z": bad})
    assert "not finite" in refused("angles", JOINT_STATE, name=["a"], position=[bad])


def test_wrong_lengths_are_refused():
    for count in (0, 1, 3, 5):
        assert f"{count} numbers" in refused("plain", ARRAY, data=[1.0] * count)
    assert "found 2 names and 1 numbers in position" in refused(
        "angles", JOINT_STATE, name=["a", "b"], position=[1.0]
    )
    assert "found 1 names and 0 numbers in velocity" in refused(
        "rates", JOINT_STATE, name=["a"], position=[1.0]
    )


def test_unknown_joints_and_directions_of_no_length_are_refused():
    assert "unknown name 'c'" in refused("angles", JOINT_STATE, name=["c"], position=[1.0])
    assert "no direction" in refused("quaternion", f"{GEOMETRY}Quaternion", w=0.0)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2))
def test_joints_may_come_in_any_order_and_in_part(values):
    parameter, travel = PARAMETERS["angles"], conversion(PARAMETERS["angles"])
    parameter.set(0.0)
    for joints in (["b", "a"], ["b"], []):
        numbers = dict(zip(joints, values, strict=False))
        before = dict(zip("ab", parameter.snapshot(), strict=True))
        message = new(JOINT_STATE, name=list(numbers), position=list(numbers.values()))
        parameter.set(travel.from_message(message))
        assert parameter.snapshot() == [{**before, **numbers}[joint] for joint in "ab"]


@given(st.floats(0.0, 4e9))
def test_times(stamp):
    fields = time_fields(stamp)
    assert 0 <= fields["nanosec"] < 10**9
    assert fields["sec"] + 1e-9 * fields["nanosec"] == pytest.approx(stamp, abs=1e-6)


def footstep_plan(**fields):
    return conversion(PARAMETERS["steps"]), new("controlit/msg/FootstepPlan", **fields)


def test_footsteps_that_are_not_used_are_zero():
    step = {"foot": 2, "position": {"x": 0.5}, "yaw": 0.1, "slope": [0.2, -0.1]}
    travel, message = footstep_plan(footsteps=[step])
    numbers = travel.from_message(message)
    np.testing.assert_array_equal(numbers, [-1, 0.5, 0, 0, 0.1, 0.2, -0.1, *(0,) * 7])
    assert travel.to_message(numbers, 0.0).footsteps == message.footsteps


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([{"foot": 1}] * 3, "found 3 steps, expected at most 2"),
        ([{"foot": 1}, {"foot": 3}], "found foot 3 of step 2"),
    ],
)
def test_footsteps_that_are_none_are_refused(steps, text):
    travel, message = footstep_plan(footsteps=steps)
    with pytest.raises(ConversionError, match=text):
        travel.from_message(message)


def test_footsteps_in_another_frame_are_refused():
    travel, message = footstep_plan(header={"frame_id": "base_link"}, footsteps=[{"foot": 1}])
    with pytest.raises(ConversionError, match="base_link"):
        travel.from_message(message)
