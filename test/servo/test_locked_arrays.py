"""Arrays that a plugin locks, keeps or replaces: the fallback is sent, and control comes back."""

import numpy as np
import pytest
from rig import Rig, gravity

from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviour import Behaviour

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles]
EVERYTHING = {"with_motion": True, "with_gains": True}


def lock(command):
    for field in FIELDS:
        if (values := getattr(command, field)) is not None:
            values.flags.writeable = False


def replace(command):
    command.effort = np.full(2, 1e3)


def lock_and_raise(command):
    lock(command)
    raise ValueError("after all")


@pytest.mark.parametrize("fields", [{}, EVERYTHING])
@pytest.mark.parametrize("act", [lock, lock_and_raise, replace])
@pytest.mark.parametrize("place", ["controller", "robot"])
def test_commands_that_a_plugin_was_given(place, act, fields):
    rig = Rig(soft_start_time=0.0, fields=fields)
    rig.activate(RECOVERY)
    if place == "controller":
        rig.controller.after_write = act
    else:
        write = rig.robot.write

        def write_and_act(command):
            write(command)
            act(command)

        rig.robot.write = write_and_act
    efforts = rig.run(20)
    assert len(efforts) == 20
    assert np.abs(efforts - gravity(rig.robot.position)).max() < 1.0
    rig.controller.after_write = None
    if place == "robot":
        rig.robot.write = write
    rig.run(RECOVERY + 50)
    assert rig.state is ACTIVE
    rig.tasks[0].goal.set(0.4)
    rig.run(3000)
    np.testing.assert_allclose(rig.robot.position, 0.4, atol=1e-3)


def test_the_command_that_a_controller_created_is_not_the_one_that_is_sent():
    created = []
    rig = Rig()
    create = type(rig.controller).create_command
    command = create(rig.controller)
    created.append(command)
    lock(command)
    assert command.like().effort.flags.writeable
    own = command.like()
    view = own.view()
    lock(view)
    own.effort[:] = 3.0
    np.testing.assert_array_equal(view.effort, 3.0)


def test_fields_of_views_are_those_of_the_command():
    command = Command(("a", "b"), **EVERYTHING)
    command.sequence = 7
    for other in (command.like(), command.view()):
        assert other.joint_names == command.joint_names
        assert other.sequence == 7
        assert all(getattr(other, field) is not None for field in FIELDS)
    assert Command(("a",)).view().position is None


class Locking(Behaviour):
    """Locks all that it is given."""

    def __init__(self, tasks):
        super().__init__("Lock", None)
        self.tasks = tasks

    def configure(self, parts):
        pass

    def begin(self, moment):
        pass

    def step(self, moment):
        for task in self.tasks:
            for parameter in task.parameters.values():
                if parameter.is_array:
                    parameter.value.flags.writeable = False
        state = moment.model.state
        for values in (state.position, state.velocity, state.vector, moment.model.v):
            values.flags.writeable = False


def test_what_a_behaviour_locks_can_be_set():
    rig = Rig(soft_start_time=0.0, behaviours=lambda tasks: [Behaving([Locking(tasks)], tasks)])
    rig.activate(RECOVERY)
    for task in rig.tasks:
        task.goal.set(0.4)
        task.controller.kp.set([90.0, 110.0])
    efforts = rig.run(100)
    assert len(efforts) == 100
    assert np.isfinite(efforts).all()
