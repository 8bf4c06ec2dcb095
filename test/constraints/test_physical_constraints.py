"""Constraints that the mechanics keep: which ones are, and what it takes to disable them."""

import pytest
from robots_for_tests import configured

from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.parameters import Mailbox, ParameterError

PHYSICAL = {
    "transmission": (Coactuation, {"master": "torso_lower_pitch", "slave": "torso_upper_pitch"}),
    "bolted base": (FlatContact, {"body": "base_link"}),
    "stated": (PointContact, {"body": "right_wrist_yaw_link", "physical": True}),
}
RELEASED = {
    "hand": (FlatContact, {"body": "right_wrist_yaw_link"}),
    "point of the base": (PointContact, {"body": "base_link"}),
    "base that floats at the start": (
        FlatContact,
        {"body": "base_link", "operational_state": "disable"},
    ),
    "stated transmission": (Coactuation, {**PHYSICAL["transmission"][1], "physical": False}),
    "stated base": (FlatContact, {"body": "base_link", "physical": False}),
}


def made(description, kind):
    part, parameters = kind
    return configured(part("Part", description), **parameters)


def post(constraint, state):
    mailbox = Mailbox()
    mailbox.post({constraint.operational_state: state})
    mailbox.next()
    mailbox.apply_next()


@pytest.mark.parametrize("kind", PHYSICAL.values(), ids=PHYSICAL)
def test_a_physical_constraint_is_only_disabled_by_force_and_reported_meanwhile(
    dreamer_description, kind
):
    constraint = made(dreamer_description, kind)
    with pytest.raises(ParameterError, match=r"Part.*found 'disable'.*physical.*'force_disable'"):
        post(constraint, "disable")
    assert constraint.is_enabled
    assert not constraint.is_neglected
    post(constraint, "force_disable")
    assert not constraint.is_enabled
    assert constraint.is_neglected
    assert "'Part' is disabled, but physical" in constraint.describe_neglect()
    assert "expected Part.operational_state to be 'enable'" in constraint.describe_neglect()
    post(constraint, "enable")
    assert constraint.is_enabled
    assert not constraint.is_neglected


@pytest.mark.parametrize("kind", RELEASED.values(), ids=RELEASED)
@pytest.mark.parametrize("state", ["disable", "force_disable"])
def test_other_constraints_are_disabled_at_will(dreamer_description, kind, state):
    constraint = made(dreamer_description, kind)
    post(constraint, "enable")
    post(constraint, state)
    assert not constraint.is_enabled
    assert not constraint.is_neglected
