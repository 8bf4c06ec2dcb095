"""Centre of pressure: sensed like MuJoCo's, moved by internal moments."""

import numpy as np
import pytest
from contact_oracles import (
    FOOT,
    PointContact,
    World,
    biped_in_contact,
    internal_effort,
    solve,
    standing,
)
from hypothesis import example, given
from hypothesis import strategies as st
from robots_for_tests import configured

from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.center_of_pressure import REACHED, CenterOfPressure
from controlit_ros.tasks.joint_position import JointPosition


def sensed(task, model):
    task.update(model.robot_model, task.inactive)
    task.swap()
    task.compute(1e-3)
    return task


def test_the_centre_is_where_a_single_force_would_act(rng):
    description, _, model = biped_in_contact()
    task = configured(CenterOfPressure("cop", description), contact="right_sole")
    state = standing(description)
    state.base_orientation[:] = [0.1, -0.2, 0.3, 0.9]
    state.base_orientation /= np.linalg.norm(state.base_orientation)
    model.update(state)
    rotation = model.robot_model.placement(description.frame_id("right_foot")).rotation
    for _ in range(10):
        center = np.array([*rng.uniform(-0.1, 0.1, 2), 0.0])
        force = np.array([*rng.uniform(-20, 20, 2), rng.uniform(10, 300)])
        moment = np.cross(center, force)
        moment[2] += rng.normal()
        wrench = model.robot_model.state.contact_wrench[1]
        wrench[:3], wrench[3:] = rotation @ force, rotation @ moment
        sensed(task, model)
        np.testing.assert_allclose(task.actual.value, center[:2], atol=1e-12)
        assert task.normal_force.value == pytest.approx(force[2])


@given(
    st.lists(st.floats(-1e6, 1e6) | st.floats(-0.35, 0.35), min_size=2, max_size=2),
    st.sampled_from([0.0, 0.05, 0.3]),
)
@example([0.097, 0.0], 0.3)
@example([0.0, -0.29], 0.3)
def test_a_goal_at_the_edge_or_beyond_leads_short_of_it_and_is_told(goal, width):
    """What lies between the two is led elsewhere as well, and nothing is led in silence."""
    description, _, model = biped_in_contact()
    half = np.array([0.1, width])
    sites = [site._replace(half_size=half) for site in description.contacts]
    task = configured(
        CenterOfPressure("cop", description.with_contacts(sites)),
        contact="right_sole",
        goal_position=goal,
    )
    model.update(standing(description))
    wrench = model.robot_model.state.contact_wrench[1]
    wrench[:] = [0.0, 0.0, 100.0, 3.0, -2.0, 0.0]
    sensed(task, model)
    led_to = task.error.value + task.active.actual
    is_known = half > 0.0
    np.testing.assert_allclose(led_to[~is_known], np.array(goal)[~is_known], atol=1e-12)
    assert (np.abs(led_to) <= REACHED * half + 1e-12)[is_known].all()
    inside = (np.abs(goal) <= REACHED * half) | ~is_known
    np.testing.assert_allclose(led_to[inside], np.array(goal)[inside], atol=1e-12)
    assert bool(task.complaint()) == bool((~inside).any())
    assert task.lacks_size == (width == 0.0)


def test_without_a_wrench_or_load_nothing_is_known_and_nothing_commanded():
    description, _, model = biped_in_contact()
    task = configured(
        CenterOfPressure("cop", description),
        contact="left_sole",
        support="right_sole",
        kp=1.0,
        ki=5.0,
    )
    for wrench in (np.full(6, np.nan), np.zeros(6)):
        model.update(standing(description))
        model.robot_model.state.contact_wrench[0] = wrench
        sensed(task, model)
        assert np.isnan(task.error_norm.value)
        assert not task.command.value.any()
        assert not task.active.jacobian.any()


def test_a_command_moves_the_centre_by_as_much_and_nothing_else(rng):
    description, _, model = biped_in_contact()
    task = configured(
        CenterOfPressure("cop", description), contact="left_sole", support="right_sole"
    )
    model.update(standing(description))
    effort = model.bias_effort + rng.normal(size=12)
    model.write_contact_wrenches(effort, model.robot_model.state.contact_wrench)
    before, force = sensed(task, model).actual.value.copy(), task.normal_force.value
    step = np.array([0.013, -0.007])
    extra = internal_effort(model, task.active.jacobian, step)
    acceleration, _ = solve(model, effort + extra)
    np.testing.assert_allclose(acceleration, solve(model, effort)[0], atol=1e-6)
    model.write_contact_wrenches(effort + extra, model.robot_model.state.contact_wrench)
    sensed(task, model)
    np.testing.assert_allclose(task.actual.value - before, step, atol=1e-9)
    assert task.normal_force.value == pytest.approx(force)


def stand(model, description, tasks, *, seconds, moves=None):
    """Let the biped stand in MuJoCo; yield time, world and the wrenches expected of the step."""
    world = World(description, [([0, 0, 0], [1, 0, 0, 0])], floats=True)
    state = standing(description, height=-1e-4)
    world.place(state)
    compound = CompoundTask(tasks)
    controller = WBOSC(description, sum(task.rows for task in tasks))
    command = controller.create_command()
    expected = np.full((2, 6), np.nan)
    for i in range(int(seconds * 1000)):
        world.measure(state)
        state.contact_wrench[:] = expected
        model.update(state)
        for task in tasks:
            task.update(model.robot_model, task.inactive)
            task.swap()
        if i == 0:
            for task in tasks:
                task.latch_goal()
        if moves is not None:
            moves(i)
        compound.compute(1e-3)
        controller.compute_command(model, compound, command)
        effort = command.effort.copy()
        if len(compound.internal_command):
            effort += internal_effort(model, compound.internal_jacobian, compound.internal_command)
        model.write_contact_wrenches(effort, expected)
        world.step(effort)
        yield i * 1e-3, world, expected


def balance(description):
    gains = {"kp": 60.0, "kd": 16.0}
    com = configured(CenterOfMass("com", description), priority=1, **gains)
    posture = configured(JointPosition("posture", description), **gains)
    return com, posture


@pytest.mark.simulation
def test_it_agrees_with_the_contact_forces_of_mujoco():
    description, _, model = biped_in_contact()
    com, posture = balance(description)
    cops = [
        configured(CenterOfPressure(f"{side}_cop", description), contact=f"{side}_sole")
        for side in ("left", "right")
    ]
    for cop in cops:
        cop.operational_state.set("sense")
    start = []

    def shift(i):
        if i == 0:
            start.append(com.goal.value.copy())
        com.goal.value[0] = start[0][0] + 0.03 * np.sin(i * 1e-3 * 3.0)
        com.goal.value[1] = start[0][1] + 0.02 * np.sin(i * 1e-3 * 2.0)

    travelled = []
    for time, world, _ in stand(
        model, description, [com, posture, *cops], seconds=3.0, moves=shift
    ):
        if time < 0.5:
            continue
        for cop, side in zip(cops, ("left", "right"), strict=True):
            placement = model.robot_model.placement(description.frame_id(f"{side}_foot"))
            point = placement.act(np.array([0, 0, -FOOT[2] / 2]))
            wrench = world.contact_wrench(f"{side}_foot", point)
            force, moment = placement.rotation.T @ wrench[:3], placement.rotation.T @ wrench[3:]
            measured = np.array([-moment[1], moment[0]]) / force[2]
            # the soles of MuJoCo yield a little; the model's are rigid
            np.testing.assert_allclose(cop.actual.value, measured, atol=0.004)
            assert cop.normal_force.value == pytest.approx(force[2], rel=0.05)
            travelled.append(measured)
    assert np.ptp(travelled, axis=0).min() > 0.02


def shifted(*, led):
    """Return how far the centres are from the middle of the soles while the weight is shifted."""
    description, _, model = biped_in_contact()
    com, posture = balance(description)
    cops = [
        configured(
            CenterOfPressure(f"{side}_cop", description),
            contact=f"{side}_sole",
            axes=["y"],
            ki=30.0,
        )
        for side in ("left", "right")
    ]
    for cop in cops:
        cop.operational_state.set("enable" if led else "sense")
    start = []

    def shift(i):
        if i == 0:
            start.append(com.goal.value.copy())
            for cop in cops:
                cop.goal.assign(np.zeros(2))
        s = min(i / 2000.0, 1.0)
        com.goal.value[1] = start[0][1] + 0.035 * s * s * (3.0 - 2.0 * s)

    forces, centers = [], []
    for time, _, _ in stand(model, description, [com, posture, *cops], seconds=2.5, moves=shift):
        if time > 1.0:
            centers.append([cop.actual.value[1] for cop in cops])
            forces.append([cop.normal_force.value for cop in cops])
    return np.abs(centers).max(), np.array(forces)


@pytest.mark.simulation
def test_both_centres_are_led_while_the_weight_is_shifted():
    worst, forces = shifted(led=True)
    left_alone, _ = shifted(led=False)
    assert worst < 0.008
    assert worst < 0.4 * left_alone
    share = forces[-1] / forces[-1].sum()
    assert share[0] > share[1] + 0.2  # the weight follows, to the left


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"contact": "left_sol"}, r"cop\.contact: unknown contact 'left_sol'.*'left_sole'"),
        ({"contact": "left_sole", "support": "left_sole"}, r"cop\.support: found 'left_sole'"),
    ],
)
def test_contacts_that_do_not_fit_are_reported(parameters, message):
    description, _, _ = biped_in_contact()
    with pytest.raises(ParameterError, match=message):
        configured(CenterOfPressure("cop", description), **parameters)


def test_a_point_has_no_centre_of_pressure():
    description, _, _ = biped_in_contact(PointContact)
    with pytest.raises(ParameterError, match=r"takes no moments, expected a flat contact"):
        configured(CenterOfPressure("cop", description), contact="left_sole")
