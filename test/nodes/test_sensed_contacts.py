"""What a simulated robot senses at its feet: against statics, MuJoCo's contacts, and the model."""

import math

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY
from standing_biped import write_biped

from controlit_ros.constraints import contact_wrenches
from controlit_ros.controllers.command import Command
from controlit_ros.nodes import robot_topics
from controlit_ros.nodes.building import load_stack
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.benchmark import Benchmark
from controlit_ros.robots.mujoco_simulation import Simulation

GRAVITY = 9.81  # [m/s²]
HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
WRENCH = "geometry_msgs/msg/WrenchStamped"
SETTLING = 400  # cycles
CROUCH_CYCLE = 40
CYCLES = 160


@pytest.fixture
def file(tmp_path):
    return write_biped(tmp_path)


def shown(rig):
    """Return the wrenches that the contacts show, and whether they are sensed."""
    contacts = rig.stack.constraints.contacts
    return (
        np.array([contact.wrench.value for contact in contacts]),
        [contact.wrench_is_sensed.value for contact in contacts],
    )


def crouch(rig):
    """Stand, then bend the knees; return the wrenches of both feet, cycle by cycle."""
    path = np.empty((CYCLES, 2, 6))
    goal = rig.task("Posture").goal
    state = rig.node.coordinator.robot_state
    assert shown(rig)[1] == [False, False]
    rig.stack.clock.advance(2)
    for cycle in range(CYCLES):
        if cycle == CROUCH_CYCLE:
            rig.node.mailbox.post({goal: 1.1 * goal.value})
        rig.stack.clock.advance(1)
        assert state.sequence == cycle + 3
        path[cycle], are_sensed = shown(rig)
        assert are_sensed == [True, True]
    return path


def contact_points(simulation, body):
    """Return MuJoCo's contacts with a foot: places and normal forces."""
    model, data = simulation.model, simulation.data
    places, forces = [], []
    for i in range(data.ncon):
        geoms = data.contact[i].geom1, data.contact[i].geom2
        if model.body(body).id in model.geom_bodyid[list(geoms)]:
            force = np.zeros(6)
            mujoco.mj_contactForce(model, data, i, force)
            places.append(data.contact[i].pos.copy())
            forces.append(force[0])
    return np.array(places), np.array(forces)


def test_a_standing_robot_feels_its_weight(in_step, file):
    rig = in_step(file, "MuJoCo")
    rig.stack.clock.advance(SETTLING)
    wrenches, are_sensed = shown(rig)
    assert are_sensed == [True, True]
    robot = rig.node.coordinator.model_updater.active.robot_model
    mass = sum(inertia.mass for inertia in rig.stack.robot.pinocchio.inertias)
    weight = np.array([0.0, 0.0, mass * GRAVITY])
    np.testing.assert_allclose(wrenches[:, :3].sum(axis=0), weight, atol=1e-3 * weight[2])
    assert (wrenches[:, 2] > 0.4 * weight[2]).all()
    center = robot.center_of_mass().position
    moment = np.zeros(3)
    for contact, wrench in zip(rig.stack.constraints.contacts, wrenches, strict=True):
        arm = contact.update_point(robot).position - center
        moment += wrench[3:] + np.cross(arm, wrench[:3])
    np.testing.assert_allclose(moment, 0.0, atol=1e-3 * weight[2])  # 1 mm of the weight


def test_at_rest_the_model_expects_what_is_sensed(in_step, file):
    rig = in_step(file, "MuJoCo")
    rig.stack.clock.advance(SETTLING)
    coordinator = rig.node.coordinator
    found = contact_wrenches(coordinator.model_updater.active, coordinator.command.effort)
    expected = np.array([contact.wrench for contact in found])
    wrenches, are_sensed = shown(rig)
    assert are_sensed == [True, True]
    assert (wrenches != expected).any()
    np.testing.assert_allclose(wrenches[:, :3], expected[:, :3], atol=1.0)  # of 300 N
    np.testing.assert_allclose(wrenches[:, 3:], expected[:, 3:], atol=0.1)


def test_the_pressure_is_where_mujoco_has_its_contacts(in_step, file):
    rig = in_step(file, "MuJoCo")
    rig.stack.clock.advance(SETTLING)
    goal = rig.task("Posture").goal
    rig.node.mailbox.post({goal: 1.1 * goal.value})
    rig.stack.clock.advance(20)  # while it moves
    simulation = rig.stack.robot_interface.simulation
    state = simulation.latest()
    for sensor, wrench in zip(simulation.setup.sensors, state.sensed_wrench, strict=True):
        places, forces = contact_points(simulation, sensor.link)
        data = simulation.data.body(sensor.link)
        axes = data.xmat.reshape(3, 3)
        center = (forces @ places / forces.sum() - data.xpos) @ axes - sensor.point
        pressure = np.array([-wrench[4], wrench[3]]) / wrench[2]
        np.testing.assert_allclose(pressure, center[:2], atol=1e-5)
        assert wrench[2] == pytest.approx(forces.sum(), rel=1e-3)
    task = rig.task("Pressure")
    assert np.isfinite(task.active.actual).all()


@pytest.mark.processes
def test_every_interface_delivers_the_same_wrenches(in_step, file, monkeypatch):
    monkeypatch.setattr(robot_topics, "SENSOR_AGE", math.inf)  # time is simulated here
    reference = crouch(in_step(file, "MuJoCo"))
    assert np.ptp(reference[:, :, 2], axis=0).min() > 10.0  # the feet feel the motion
    own = {
        "robot_interface.state_type": "controlit/msg/RobotState",
        "robot_interface.command_type": "controlit/msg/RobotCommand",
    }
    for interface_type, settings in (("SharedMemory", {}), ("UDP", {}), ("Topic", own)):
        rig = in_step(file, interface_type, **settings)
        np.testing.assert_allclose(crouch(rig), reference, rtol=1e-9, atol=1e-6)
        assert rig.stack.robot_interface.refused == 0


def test_without_a_sensor_the_model_tells(in_step, file):
    without = {f"constraints.{name}_sole.wrench_sensor": False for name in ("left", "right")}
    rig = in_step(file, "SharedMemory", **without)
    rig.stack.clock.advance(50)
    wrenches, are_sensed = shown(rig)
    assert are_sensed == [False, False]
    assert (wrenches[:, 2] > 50.0).all()
    assert rig.stack.robot_interface.servo_end().incoming.text.startswith("state left_hip_yaw")


def test_a_sensor_that_falls_silent_is_replaced_and_told(in_step, file, monkeypatch):
    rig = in_step(file, "MuJoCo")
    rig.stack.clock.advance(100)
    measured = rig.stack.robot_interface.simulation
    before = shown(rig)[0]
    measure = Simulation._measure_wrenches

    def fail(simulation, forces):
        measure(simulation, forces)
        simulation._measured.sensed_wrench[1, 4] = np.nan  # one number of six

    monkeypatch.setattr(Simulation, "_measure_wrenches", fail)
    told = []
    coordinator = rig.node.coordinator
    monkeypatch.setattr(
        coordinator.faults.notices,
        "post",
        lambda level, topic, text, now: told.append(text() if callable(text) else text),
    )
    rig.stack.clock.advance(200)
    wrenches, are_sensed = shown(rig)
    assert are_sensed == [True, False]
    np.testing.assert_allclose(wrenches, before, atol=15.0)
    assert measured.latest().sequence > 0
    assert told
    assert all("left_sole" in text and "right_sole" not in text for text in told)
    assert coordinator.state.value == "active"


@pytest.mark.parametrize("can_sense", [False, True])
def test_a_robot_that_cannot_sense_is_not_blamed_for_it(in_step, file, monkeypatch, can_sense):
    monkeypatch.setattr(Benchmark, "senses_wrenches", can_sense)
    rig = in_step(file, "Benchmark")
    told = []
    coordinator = rig.node.coordinator
    monkeypatch.setattr(
        coordinator.faults.notices, "post", lambda _level, topic, _text, _now: told.append(topic)
    )
    rig.stack.clock.advance(200)
    assert coordinator.state.value == "active"
    assert shown(rig)[1] == [False, False]
    assert ("wrench sensors" in told) == can_sense


def test_sensors_have_noise(file):
    def sensed(**values):
        stack = load_stack(file, {f"simulator.{k}": v for k, v in values.items()})
        simulation = Simulation(stack.robot_interface.setup, stack.robot_interface.options())
        simulation._braked = False
        found = []
        for _ in range(400):
            simulation._measure()
            found.append(simulation._measured.sensed_wrench.copy())
        return np.array(found)

    quiet, noisy = sensed(), sensed(wrench_noise=[2.0, 0.1])
    assert np.ptp(quiet, axis=0).max() == 0.0
    deviation = (noisy - quiet).std(axis=0)
    np.testing.assert_allclose(deviation[:, :3], 2.0, rtol=0.2)
    np.testing.assert_allclose(deviation[:, 3:], 0.1, rtol=0.2)


def test_two_sensors_on_one_body_are_refused(file):
    setup = load_stack(file).robot_interface.setup
    twin = setup.sensors[0]._replace(contact="heel")
    options = load_stack(file).robot_interface.options()
    with pytest.raises(RobotInterfaceError, match="'right_sole' and 'heel' are on one rigid body"):
        Simulation(setup._replace(sensors=(*setup.sensors, twin)), options)


def test_a_bolted_base_feels_what_holds_it():
    """Against Newton and Euler, by Pinocchio, while the arms swing."""
    point = {"Base.contact_point": [0.1, 0.2, 0.0], "Base.wrench_sensor": True}
    stack = load_stack(HANDS, {f"constraints.{key}": value for key, value in point.items()})
    setup, options = stack.robot_interface.setup, stack.robot_interface.options()
    (sensor,) = setup.sensors
    simulation = Simulation(setup, options)
    command = Command(setup.command_names)
    command.effort[:] = np.linspace(-3.0, 3.0, len(command.effort))
    simulation.apply(command)
    for _ in range(50):
        position, velocity = (
            getattr(simulation.latest(), k).copy() for k in ("position", "velocity")
        )
        simulation.step()
    state = simulation.latest()
    model = stack.robot.pinocchio
    at_rest = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    still = np.zeros(6)
    force = pin.rnea(
        model,
        model.createData(),
        np.concatenate([at_rest, position]),
        np.concatenate([still, velocity]),
        np.concatenate([still, state.acceleration]),
    )[:6]
    assert np.abs(velocity).max() > 0.1
    there = pin.SE3(np.eye(3), np.array(sensor.point))
    oracle = there.actInv(pin.Force(force)).vector
    np.testing.assert_allclose(state.sensed_wrench[0], oracle, rtol=0.01, atol=0.5)
    assert not np.allclose(oracle[3:], pin.Force(force).angular, atol=1.0)


def test_contacts_serve_events_and_bindings(in_step, file, poll):
    rig = in_step(file, "MuJoCo")
    fired, came = [], []
    rig.transports[0].subscribe("events", "std_msgs/msg/String", fired.append)
    rig.transports[0].subscribe("left_sole/wrench", WRENCH, came.append)

    def is_told():
        rig.stack.clock.advance(1)
        return fired and came and came[-1].wrench.force.z > 50.0

    poll(is_told)
    assert fired[0].data == "Down"


def test_wrenches_are_published_without_a_word_in_the_file(in_step, file, poll):
    rig = in_step(file, "MuJoCo")
    came = []
    rig.transports[0].subscribe("right_sole/wrench", WRENCH, came.append)

    def is_told():
        rig.stack.clock.advance(20)
        return came and came[-1].wrench.force.z > 50.0

    poll(is_told)
    assert came[-1].header.frame_id == "world"
