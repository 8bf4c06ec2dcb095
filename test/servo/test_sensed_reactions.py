"""Wrenches of contacts: the sensed ones count, the model fills in for the others."""

import numpy as np
from contact_oracles import biped_in_contact, standing

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.servo.reactions import Reactions, silent_sensors


def test_what_is_not_sensed_is_expected_from_the_last_command():
    description, constraints, _ = biped_in_contact()
    left, right = description.contacts
    description = description.with_contacts([left, right._replace(is_sensed=True)])
    model = ConstrainedModel(description, constraints)
    state = RobotState(description.real_joints, sensors=1, contacts=2)
    state.copy_from(standing(description))
    reactions = Reactions(state, 0.1)
    reactions.begin(0.0)

    def shown(now):
        model.update(state)
        is_silent = reactions.show(model, now)
        contacts = constraints.contacts
        sensed = [contact.wrench_is_sensed.value for contact in contacts]
        return np.array([contact.wrench.value for contact in contacts]), sensed, is_silent

    wrenches, sensed, is_silent = shown(0.01)
    assert np.isnan(wrenches).all()  # nothing has been commanded yet
    assert (sensed, is_silent) == ([False, False], False)
    command = Command(description.command_joints)
    command.effort[:] = model.bias_effort
    reactions.expect(model, command.effort)
    expected = np.zeros((2, 6))
    model.write_contact_wrenches(command.effort, expected)
    state.sensed_wrench[0] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    wrenches, sensed, is_silent = shown(1.0)
    np.testing.assert_array_equal(wrenches[0], expected[0])
    np.testing.assert_allclose(wrenches[1], state.sensed_wrench[0], atol=1e-12)  # a level foot
    assert (sensed, is_silent) == ([False, True], False)
    state.sensed_wrench[0, 3] = np.nan  # the sensor fails
    wrenches, sensed, is_silent = shown(1.05)
    np.testing.assert_array_equal(wrenches, expected)
    assert (sensed, is_silent) == ([False, False], False)
    assert shown(1.2)[2]
    assert "wrench of right_sole, which" in silent_sensors(model)
    reactions.forget()
    assert np.isnan(shown(1.3)[0]).all()
