"""Talos on its feet, whose joints are asked back faster than its contacts bear, or its drives."""

import functools

import numpy as np
import pytest
from prioritisations import each_prioritisation
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands, edited

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import start_of

pytestmark = [pytest.mark.simulation, needs_example_robots]

TALOS = REPOSITORY / "config" / "talos"
KNEES = ("leg_left_4_joint", "leg_right_4_joint")
MARGIN = 1.0  # [rad] the knees start within it, and would bend faster than the robot falls
MET = 0.85  # [rad] the knees start outside of it
ALL = 0.05  # [rad] grippers and arms start within it
HALVINGS = 25


def bound_joints(data):
    data["simulator"]["scene"] = str(TALOS / "wall.xml")
    data["inequalities"] = [
        {
            "name": "Joints",
            "type": "JointBounds",
            "acceleration": 150,
            "margin": dict.fromkeys(KNEES, MARGIN),
        }
    ]


class Standing:
    """The controller at the start, told how far joints are to be off their ends."""

    def __init__(self, prioritisation):
        of_levels = {"prioritisation_type": prioritisation}
        self.stack = stack = load_stack(edited(TALOS / "wall.yaml", bound_joints), of_levels)
        self.model = stack.create_model()
        self.model.update(start_of(stack))
        for task in stack.tasks.tasks:
            task.update(self.model.robot_model, task.active)
        stack.tasks.compute(1e-3)
        self.controller = stack.controller
        self.joints = stack.controller.inequalities[0]
        self.command = stack.controller.create_command()

    def effort(self, margin):
        joints = self.stack.robot.command_joints
        self.joints.margin.assign(np.array([margin if name in KNEES else 0.0 for name in joints]))
        self.controller.compute_command(self.model, self.stack.tasks, self.command)
        return self.command.effort.copy()


standing = functools.cache(Standing)


@each_prioritisation
def test_joints_give_way_and_contacts_bear_what_the_robot_does(prioritisation):
    talos = standing(prioritisation.__name__)
    talos.controller.restart()
    for _ in range(3):  # from the second on it begins with what gave way
        effort = talos.effort(MARGIN)
        assert talos.joints.missing.value > 10.0
        assert talos.controller.missing_contact_force.value == 0.0
        assert talos.controller.unsolved_levels.value == 0
        talos.controller.rehearse(talos.model, talos.stack.tasks)
        bounds, names = talos.controller.prioritisation.bounds, talos.controller.named_bounds()
        excess = bounds.rows @ effort - bounds.row_upper
        parts = {bound.owner for bound, _ in names[len(effort) :]}
        assert parts == {"RightSole", "LeftSole", "Joints"}
        of_contacts = [bound.owner != "Joints" for bound, _ in names[len(effort) :]]
        assert excess[of_contacts].max() <= 1e-4
        assert excess.max() == pytest.approx(talos.joints.missing.value, rel=1e-3)
    assert "'Joints' by" in talos.controller.complaint()


def test_the_effort_does_not_jump_where_joints_begin_and_cease_to_give_way():
    """Wherever it changes most: halved again and again, a jump would stay."""
    talos = standing("Weighted")
    margins = np.linspace(MET, MARGIN, 51)
    for there in (margins, margins[::-1]):
        talos.controller.restart()
        efforts, missing = [], []
        for margin in there:
            efforts.append(talos.effort(margin))
            missing.append(talos.joints.missing.value)
        assert min(missing) == 0.0
        assert max(missing) > 10.0
        worst = int(np.argmax(np.abs(np.diff(efforts, axis=0)).max(axis=1)))
        assert largest_jump(talos, *there[worst : worst + 2]) < 0.1


def largest_jump(talos, first, last):
    """Return by how much the effort changes in the end, where it changes more each time."""
    before, after = talos.effort(first), talos.effort(last)
    for _ in range(HALVINGS):
        middle = 0.5 * (first + last)
        between = talos.effort(middle)
        if np.abs(between - before).max() > np.abs(after - between).max():
            last, after = middle, between
        else:
            first, before = middle, between
    return np.abs(after - before).max()


def test_control_goes_on_until_the_joints_are_back():
    hands = SimulatedHands(TALOS / "wall.yaml", bound_joints)
    joints = hands.stack.controller.inequalities[0]
    hands.advance(5)
    assert joints.missing.value > 0.0
    forces = []
    for _ in range(20):
        hands.advance(5)  # which asserts that it is active
        forces.append(hands.stack.controller.missing_contact_force.value)
    assert max(forces) < 1e-3
    assert joints.missing.value == 0.0


def test_joints_that_begin_within_their_margin_come_back_by_their_own_drives():
    """Grippers at their end, whose drives give 18 rad/s² of 60."""

    def all_within(data):
        bound_joints(data)
        data["inequalities"][0] |= {"acceleration": 60, "margin": ALL}

    hands = SimulatedHands(TALOS / "wall.yaml", all_within)
    controller, robot = hands.stack.controller, hands.stack.robot
    joints, picked = controller.inequalities[0], robot.command_indices

    def beyond():
        q = hands.position[picked]
        low, high = robot.lower_limits[picked] + ALL, robot.upper_limits[picked] - ALL
        return max((low - q).max(), (q - high).max())

    assert beyond() > 0.9 * ALL
    for _ in range(50):
        hands.advance(5)
        assert joints.missing.value == 0.0
        assert controller.missing_contact_force.value == 0.0
    assert beyond() <= 0.0
