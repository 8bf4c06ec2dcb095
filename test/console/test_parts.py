"""Parts: what the page makes of what a controller says of itself."""

import pytest

from controlit_console.parts import (
    constraint_views,
    event_parameters,
    event_views,
    latches,
    shown_value,
    task_views,
)
from controlit_ros.interfaces import Message, new


def info(owner, name, value, *, role="", unit="", fixed=False, kind="float", shape=()):
    return new(
        "controlit/msg/ParameterInfo",
        owner=owner,
        name=name,
        type=kind,
        shape=list(shape),
        unit=unit,
        read_only=fixed,
        value=value,
        role=role,
    )


def tasks(**states):
    """Return an answer with a hand, a force and a task that measures nothing."""
    names = ["Hand", "Push", "Mute"]
    return new(
        "controlit/srv/GetTaskParameters_Response",
        success=True,
        tasks=names,
        types=["CartesianPosition", "ExternalForce", "Mute"],
        states=[states.get(name, "enable") for name in names],
        priorities=[2, 1, 0],
        parameters=[
            info("Hand", "goal_position", "[0.1, 0.2, 0.3]", role="goal", unit="m", shape=[3]),
            info("Hand", "tare", "false", kind="boolean"),
            info("Hand", "kp", "[64.0, 64.0, 64.0]", unit="1/s²", shape=[3]),
            info("Hand", "priority", "2", kind="integer"),
            info("Hand", "operational_state", "enable", kind="text"),
            info("Hand", "body", "hand", kind="text", fixed=True),
            info("Hand", "error_norm", "0.5", role="error_norm", fixed=True),
            info("Push", "goal_force", "[0.0, 0.0, 9.0]", role="goal", unit="N", shape=[3]),
            info("Push", "tare", "false", kind="boolean"),
            info("Mute", "goal", "1.0", role="goal", unit="m"),
        ],
    )


def test_tasks_are_read_with_their_parameters():
    hand, push, mute = task_views(tasks(Push="sense"))
    assert (hand.name, hand.type, hand.state, hand.priority) == (
        "Hand",
        "CartesianPosition",
        "enable",
        2,
    )
    assert push.state == "sense"
    assert hand.of_role("goal").value == [0.1, 0.2, 0.3]
    assert hand.of_role("actual") is None
    assert [p.owner for p in mute.parameters] == ["Mute"]


def test_settings_are_what_can_be_set_and_has_no_place_of_its_own():
    hand = task_views(tasks())[0]
    assert [p.full_name for p in hand.settings] == ["Hand.kp"]


def test_a_stop_latches_what_acts_and_is_no_force():
    assert latches(task_views(tasks())) == {"Hand.tare": True}
    assert latches(task_views(tasks(Hand="sense"))) == {}
    assert latches(task_views(tasks(Hand="disable"))) == {}


def test_constraints_are_read():
    answer = new(
        "controlit/srv/GetConstraintParameters_Response",
        constraints=["Base"],
        types=["FlatContact"],
        states=["leaving"],
        parameters=[info("Base", "weight", "1.0")],
    )
    (base,) = constraint_views(answer)
    assert (base.name, base.type, base.state, base.priority) == (
        "Base",
        "FlatContact",
        "leaving",
        None,
    )


def value(plain) -> Message:
    kinds = {bool: (1, "bool_value"), int: (2, "integer_value")}
    kind, field = kinds[type(plain)]
    return new("rcl_interfaces/msg/ParameterValue", type=kind, **{field: plain})


def test_events_are_read_in_the_order_they_were_asked_for():
    names = ["Arrived", "Lost"]
    assert event_parameters(names)[:3] == ["Arrived.enabled", "Arrived.active", "Arrived.count"]
    plain = [True, False, 3, False, True, 0]
    arrived, lost = event_views(names, [value(entry) for entry in plain])
    assert (arrived.is_enabled, arrived.holds, arrived.fired) == (True, False, 3)
    assert (lost.is_enabled, lost.holds, lost.fired) == (False, True, 0)


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        (64.0, "64"),
        ([64.0, 0.1], "[64, 0.1]"),
        (True, "true"),
        ("world", "world"),
        (3, "3"),
        (float("nan"), "nan"),
    ],
)
def test_values_are_shown_as_they_are_written(plain, text):
    assert shown_value(plain) == text
