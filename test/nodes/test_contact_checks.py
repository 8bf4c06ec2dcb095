"""Contacts that say too little of their shape, and goals outside of a sole, are told at once."""

import pytest
from robots_for_tests import needs_example_robots
from standing_biped import write_biped

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.nodes.building import build_stack, load_stack

SOLE = "half_size: [0.12, 0.07]"


def biped(tmp_path, *edits):
    """Write a standing biped; each edit replaces a text of its file."""
    file = write_biped(tmp_path)
    text = file.read_text()
    for old, new in (("wrench_sensor: true", f"wrench_sensor: true\n    {SOLE}"), *edits):
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)
    return file


def pressure(more):
    return "contact: left_sole}", f"contact: left_sole, {more}}}"


def test_a_sole_with_a_size_and_a_goal_inside_are_well(tmp_path):
    warnings = load_stack(biped(tmp_path, pressure("goal_position: [0.11, -0.06]"))).warnings
    assert not [text for text in warnings if "sole" in text]


@pytest.mark.parametrize("goal", ["[0.119, 0]", "[0.121, 0]", "[0, -0.5]", "[1.0e6, -1.0e6]"])
def test_a_goal_outside_of_the_sole_is_refused_where_it_stands(tmp_path, goal):
    file = biped(tmp_path, pressure(f"goal_position: {goal}"))
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if goal in text)
    with pytest.raises(ConfigurationError) as caught:
        load_stack(file)
    (problem,) = caught.value.problems
    assert problem.line == line
    assert problem.path == "tasks[1].goal_position"
    assert "outside of the sole" in problem.message
    assert "expected within ±0.1" in problem.message or "expected within ±0.06" in problem.message
    assert "95% of the half_size of 'left_sole'" in problem.message


def test_what_is_not_led_may_be_anything(tmp_path):
    load_stack(biped(tmp_path, pressure("goal_position: [9, 0], axes: [y]")))


def test_a_sole_without_a_size_is_told(tmp_path):
    file = biped(tmp_path, (SOLE, ""))
    found = [text for text in load_stack(file).warnings if "half_size" in text]
    assert len(found) == 1
    assert "tasks[1]: 'left_sole' has no half_size" in found[0]
    disabled = biped(
        tmp_path, (SOLE, ""), ("operational_state: sense", "operational_state: disable")
    )
    assert not [text for text in load_stack(disabled).warnings if "half_size" in text]


@needs_example_robots
def test_a_ball_that_the_description_knows_is_told():
    def warnings(contact):
        text = (
            "name: r\nrobot_description: package://example-robot-data/robots/"
            "anymal_b_simple_description/robots/anymal.urdf\n"
            f"constraints: [{{name: Foot, type: PointContact, body: LF_FOOT, {contact}}}]\n"
            "constraint_set: [{name: Foot}]\n"
        )
        stack = build_stack(load_configuration(text, {"robot_interface_type": "Benchmark"}))
        return [text for text in stack.warnings if "ball" in text]

    (found,) = warnings("contact_point: [0, 0, 0.02325]")
    assert "constraints[0]: found no radius, and a ball of 0.031 m" in found
    assert "expected radius: 0.031" in found
    assert len(warnings("contact_point: [0, 0, 0.02]")) == 1
    assert warnings("contact_point: [0, 0, 0.02325], radius: 0.031") == []
    assert warnings("contact_point: [0, 0, -0.00775]") == []  # on its surface
