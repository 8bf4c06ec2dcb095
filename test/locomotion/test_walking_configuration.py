"""What is wrong with a walk in a file is told before anything moves."""

import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import edited

from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes.building import load_stack

TALOS = REPOSITORY / "config" / "talos"

pytestmark = needs_example_robots


def problem(edit):
    def change(data):
        data["simulator"]["scene"] = str(TALOS / "floor.xml")
        edit(data)

    with pytest.raises(ConfigurationError) as caught:
        load_stack(edited(TALOS / "walk.yaml", change))
    return str(caught.value)


def test_a_part_that_is_not_there_is_told_with_the_nearest():
    text = problem(lambda data: data["behaviours"][0].update(left_contact="LeftSoul"))
    assert "Walk.left_contact: found 'LeftSoul', expected a FlatContact or PointContact" in text
    assert "LeftSole" in text


def test_a_task_of_another_type_does_not_do():
    text = problem(lambda data: data["behaviours"][0].update(turned=["CenterOfMass"]))
    assert "Walk.turned: found 'CenterOfMass', expected a Orientation3D" in text


def test_a_foot_must_be_what_stands():
    text = problem(lambda data: data["behaviours"][0].update(left_foot="RightFoot"))
    assert "Walk.left_foot: 'RightFoot' leads the point" in text
    assert "left_sole_link" in text


def test_an_unknown_type_is_told_with_the_nearest():
    text = problem(lambda data: data["behaviours"][0].update(type="Walkin"))
    assert "found 'Walkin', expected a behaviour type" in text
    assert "Walking" in text


def test_both_feet_on_one_body_are_refused():
    text = problem(
        lambda data: data["behaviours"][0].update(right_contact="LeftSole", right_foot="LeftFoot")
    )
    assert "Walk.left_contact, Walk.right_contact: found 'LeftSole' and 'LeftSole'" in text


def test_a_task_that_leads_to_its_goal_by_itself_is_refused():
    reference = {"reference": "time_optimal"}
    text = problem(lambda data: data["tasks"][0].update(reference))
    assert "Walk.center_of_mass: found 'CenterOfMass', which leads to its goal by itself" in text


def test_a_sole_needs_a_task_that_turns_it():
    text = problem(lambda data: data["tasks"][1].update(type="CartesianPosition"))
    assert "Walk.left_foot: found 'LeftFoot', a CartesianPosition, expected a CartesianPose" in text
    assert "'LeftSole' is a sole" in text


def test_a_contact_that_is_neither_sole_nor_point_is_told_with_both():
    text = problem(lambda data: data["behaviours"][0].update(left_contact="Left"))
    assert "Walk.left_contact: found 'Left', expected a FlatContact or PointContact" in text


@pytest.mark.parametrize(("robot", "shown"), [("talos", 2), ("bolt", 1)])
def test_steps_are_shown_of_feet_that_have_a_size(robot, shown):
    (walking,) = load_stack(REPOSITORY / "config" / robot / "walk.yaml").behaviours
    assert len(walking.shapes()) == shown
