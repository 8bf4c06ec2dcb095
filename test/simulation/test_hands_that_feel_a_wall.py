"""A hand that yields like a spring, a damper and a mass, and feels a wall in MuJoCo."""

import numpy as np
import pytest
from robots_for_tests import needs_example_robots
from simulated_hands import SimulatedHands
from wall import PANDA, STEADY, wall_force, write_scene

from controlit_ros.robots.mujoco_wrenches import ContactForces

GAP = 0.03  # [m] to the wall
BEYOND = 0.07  # [m] behind it is the goal
STIFFNESS = 400.0  # [N/m]
INERTIA = 5.0  # [kg]
DAMPING = 56.0  # [N s/m], 0.6 of what lets nothing swing

pytestmark = [pytest.mark.simulation, needs_example_robots]


def feeling(folder, law, *, inertia=INERTIA):
    """Return Panda, whose hand yields and feels, a little away from a wall."""
    scene = write_scene(PANDA, folder, GAP)
    place = list(PANDA.point)
    soft = {
        "name": "Soft",
        "type": "CartesianImpedance",
        "body": PANDA.hand,
        "axes": ["x", "y", "z"],
    }
    soft |= {"control_point": place, "stiffness": STIFFNESS, "damping": DAMPING, "contact": "Touch"}
    touch = {"name": "Touch", "type": "PointContact", "body": PANDA.hand}

    def edit(data):
        data.setdefault("simulator", {})["scene"] = str(scene)
        for entries in (data["tasks"], data["compound_task"]):
            entries[:] = [entry for entry in entries if entry["name"] != "HandPosition"]
        data["tasks"].append({**soft, **({"inertia": inertia} if inertia else {})})
        data["compound_task"].append({"name": "Soft", "priority": 1})
        data["constraints"].append({**touch, "contact_point": place, "wrench_sensor": True})
        data["constraint_set"].append({"name": "Touch", "operational_state": "disable"})
        data["events"] = []
        if law != "WBOSC":
            chosen = {"whole_body_controller_type": "WholeBodyQP", "prioritisation_type": law}
            data["parameters"].update(chosen)

    run = SimulatedHands(PANDA.file, edit, STEADY)
    run.advance(20)
    return run


def reach(run, way):
    """Send the hand a way along x; return its goal there."""
    goal = run.tasks["Soft"].goal
    place = goal.value.copy()
    place[0] += way
    goal.set(place)
    return place[0]


@pytest.mark.parametrize(
    ("law", "inertia"), [("WBOSC", INERTIA), ("Weighted", 0.0), ("Hierarchical", INERTIA)]
)
def test_it_comes_to_rest_at_a_wall_with_the_force_of_its_spring(tmp_path, law, inertia):
    run = feeling(tmp_path, law, inertia=inertia)
    goal = reach(run, GAP + BEYOND)
    soft, forces = run.tasks["Soft"], []
    for _ in range(100):
        run.advance(10)
        forces.append(wall_force(run))
    resting = np.array(forces[-20:])
    stretch = goal - soft.active.actual[0]
    assert stretch == pytest.approx(BEYOND, abs=2e-3)
    np.testing.assert_allclose(resting, STIFFNESS * stretch, rtol=0.01)
    assert np.abs(soft.active.velocity[:3]).max() < 3e-3  # [m/s], across the wall last


def test_in_the_air_it_moves_as_the_mass_it_is_told(tmp_path):
    """By the formula of a mass on a spring with a damper; its own inertia is another."""
    run = feeling(tmp_path, "WBOSC")
    soft = run.tasks["Soft"]
    start, way = soft.actual.value[0], 0.5 * GAP
    reach(run, way)
    x, v = -way, 0.0
    for _ in range(15):
        run.advance(10)
        for _ in range(10):
            v -= 1e-3 * (STIFFNESS * x + DAMPING * v) / INERTIA
            x += 1e-3 * v
        assert soft.actual.value[0] - start == pytest.approx(way + x, abs=5e-4)
    assert abs(x) < 0.7 * way  # it is on its way


@pytest.mark.parametrize(
    ("law", "told"),
    [("WBOSC", np.nan), ("Hierarchical", np.inf), ("WBOSC", 1e4), ("Weighted", -1e9)],
)
def test_a_sensor_that_lies_asks_no_joint_for_more_than_it_has(tmp_path, law, told, monkeypatch):
    run = feeling(tmp_path, law)
    stack = run.stack
    monkeypatch.setattr(ContactForces, "measure", lambda *given: given[-1].fill(told))
    limits = stack.guard.limits(stack.robot)
    for _ in range(100):
        stack.clock.advance(2)
        effort = run.coordinator.command.effort
        assert np.isfinite(effort).all()
        assert (np.abs(effort) <= limits.effort + 1e-9).all()
    if not np.isfinite(told):
        assert run.tasks["Soft"].error_norm.value < 1e-3  # it keeps its own inertia, and stays
