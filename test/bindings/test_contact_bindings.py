"""What the world exerts at a contact goes out where it is known."""

import pytest
from contact_oracles import biped_in_contact

from controlit_ros.bindings import BindingConfig, Direction, contact_bindings
from controlit_ros.bindings.conversion import conversion


def bound(*stated, **parameters):
    _, constraints, _ = biped_in_contact(**parameters)
    return contact_bindings(constraints.contacts, stated), constraints.contacts


@pytest.mark.parametrize("known", [{"friction": 0.5}, {"wrench_sensor": True}])
def test_wrenches_that_are_known_go_out(known):
    configs, contacts = bound(**known)
    assert [config.topic for config in configs] == ["left_sole/wrench", "right_sole/wrench"]
    for config, contact in zip(configs, contacts, strict=True):
        assert config.direction is Direction.OUTPUT
        contact.wrench.value[:] = range(6)
        message = conversion(contact.wrench, config.message_type).to_message(
            contact.wrench.value, 1.0
        )
        assert message.wrench.force.z == 2.0
        assert message.wrench.torque.z == 5.0


def test_others_do_not():
    assert bound()[0] == ()


def test_a_binding_of_the_file_takes_the_place():
    stated = BindingConfig("left_sole.wrench", Direction.OUTPUT, "elsewhere")
    configs, _ = bound(stated, friction=0.5)
    assert [config.topic for config in configs] == ["right_sole/wrench"]
