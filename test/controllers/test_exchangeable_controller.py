"""ExchangeableController against the controllers it chooses from, each on its own."""

import gc
import sys

import numpy as np
import pytest
from test_wbosc import dreamer_setup, hands_and_posture

from controlit_ros.controllers import Command, ExchangeableController, WholeBodyController
from controlit_ros.controllers.kinematic import Kinematic
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.controllers.wbosc_impedance import WBOSCImpedance
from controlit_ros.parameters import ParameterError

TOLERANCE = 20  # [blocks] caches of the interpreter move a little


class GravityOnly(WholeBodyController):
    """Efforts that hold the robot up; knows no levels."""

    def compute_command(self, model, tasks, command):
        np.copyto(command.effort, model.bias_effort)


class MotionOnly(GravityOnly):
    """For joints that follow positions and take no gains."""

    def create_command(self):
        return Command(self.robot.command_joints, with_motion=True)


def alternative(setup, name, kind=WBOSC, projector=None, **parameters):
    """Return a configured controller with a name of its own."""
    controller = kind(setup.description, setup.controller.max_rows)
    controller.rename(name)
    for key, value in parameters.items():
        controller.parameter(key).set(value)
    if projector is not None:
        controller.null_space_projector = projector
    controller.configure(setup.compound)
    return controller


def several(setup):
    """Return controllers whose commands have the same fields but one."""
    return [
        alternative(setup, "Exact"),
        alternative(setup, "Uneven", projector=Kinematic(), velocity_bias=False),
        alternative(setup, "Damped", singularity_handling="damp", damping_threshold=0.5),
        alternative(setup, "Stiff", WBOSCImpedance, alpha=0.0, beta=0.0),
        alternative(setup, "Gravity", GravityOnly),
    ]


def exchange(setup, alternatives):
    made = ExchangeableController(setup.description, setup.controller.max_rows, alternatives)
    made.configure(setup.compound)
    setup.controller, setup.command = made, made.create_command()
    return made


@pytest.fixture
def setup():
    made = dreamer_setup(hands_and_posture)
    for i, task in enumerate(made.tasks):
        task.priority.set(len(made.tasks) - i)
    return made


def test_the_command_is_that_of_the_chosen_one(setup, rng):
    alone = {c.name: c for c in several(setup)}
    made = exchange(setup, several(setup))
    efforts = {}
    for name in (*alone, *reversed(alone)):
        state = setup.consistent_state(rng)
        made.active.set(name)
        efforts[name] = setup.effort(state)
        assert made.chosen.name == name
        expected = alone[name].create_command()
        alone[name].restart()
        alone[name].compute_command(setup.model, setup.compound, expected)
        np.testing.assert_array_equal(efforts[name], expected.effort)
        if expected.position is not None:
            np.testing.assert_array_equal(setup.command.position, expected.position)
            np.testing.assert_array_equal(setup.command.stiffness, expected.stiffness)
    state = setup.consistent_state(rng)
    found = []
    for name in alone:
        made.active.set(name)
        found.append(setup.effort(state))
    for i in (1, 2, 4):
        assert np.abs(found[i] - found[0]).max() > 0.1  # there is something to choose


def test_joints_feel_efforts_alone_after_one_with_gains(setup, rng):
    made = exchange(setup, several(setup))
    joints = setup.description.command_indices
    state = setup.consistent_state(rng)
    made.active.set("Stiff")
    setup.effort(state)
    assert (setup.command.stiffness > 0.0).all()
    for name in ("Exact", "Gravity"):
        made.active.set(name)
        setup.effort(state)
        for gains in (setup.command.stiffness, setup.command.damping):
            np.testing.assert_array_equal(gains, 0.0)
        np.testing.assert_array_equal(setup.command.position, state.position[joints])
        np.testing.assert_array_equal(setup.command.velocity, state.velocity[joints])


def test_efforts_alone_need_no_other_fields(setup):
    made = exchange(setup, several(setup)[:3])
    assert made.create_command().position is None
    assert made.create_command().stiffness is None


def test_one_that_takes_over_begins_at_the_measured_state(setup, rng):
    made = exchange(setup, several(setup))
    joints = setup.description.command_indices
    state = setup.consistent_state(rng)
    made.active.set("Stiff")
    for _ in range(50):
        setup.effort(state)
    away = np.abs(setup.command.position - state.position[joints]).max()
    made.active.set("Exact")
    setup.effort(state)
    made.active.set("Stiff")
    setup.effort(state)
    assert np.abs(setup.command.position - state.position[joints]).max() < 0.05 * away


def test_only_the_chosen_one_computes(setup, rng):
    made = exchange(setup, several(setup))
    stiff = made.alternatives[3]
    setup.effort(setup.consistent_state(rng))
    made.rehearse(setup.model, setup.compound)
    assert np.isnan(stiff._position).all()


def test_condition_numbers_are_those_of_the_chosen_one(setup, rng):
    made = exchange(setup, several(setup))
    shown = made.parameter("condition_numbers").value
    state = setup.consistent_state(rng)
    for controller in made.alternatives[:4]:
        made.active.set(controller.name)
        setup.effort(state)
        np.testing.assert_array_equal(shown, controller.condition_numbers.value)
    made.active.set("Gravity")
    setup.effort(state)
    assert np.isnan(shown).all()


def test_nobody_knows_condition_numbers(setup):
    made = exchange(setup, [alternative(setup, "Gravity", GravityOnly)])
    assert "condition_numbers" not in made.parameters


def test_a_motion_without_gains_cannot_be_exchanged_for_efforts(setup):
    motion = alternative(setup, "Motion", MotionOnly)
    with pytest.raises(ParameterError, match="'Motion' commands effort, position, velocity, 'Ex"):
        exchange(setup, [*several(setup)[:1], motion])
    assert exchange(setup, [motion, alternative(setup, "Other", MotionOnly)])


def test_an_unknown_name_is_refused_with_the_nearest(setup):
    made = exchange(setup, several(setup))
    with pytest.raises(ParameterError, match=r"did you mean 'Damped'"):
        made.active.set("Dampt")
    assert made.active.value == "Exact"


@pytest.mark.processes
def test_an_exchange_allocates_nothing(setup, rng):
    made = exchange(setup, several(setup))
    names = made.active.choices
    setup.update(setup.consistent_state(rng))

    def play(rounds):
        for i in range(rounds):
            made.active.assign(names[i % len(names)])
            setup.compute()

    play(100)
    gc.collect()
    before = sys.getallocatedblocks()
    play(2000)
    assert sys.getallocatedblocks() - before < TOLERANCE
