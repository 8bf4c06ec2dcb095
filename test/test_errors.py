"""Nearest names in messages."""

from controlit_ros.errors import MOST_NAMES, did_you_mean, nearest

NAMES = ["Posture.kp", "Posture.kd", "Base.body", "geometry_msgs/msg/Point"]


def test_a_name_that_is_nearly_right():
    assert nearest("posture.kp", NAMES)[0] == "Posture.kp"
    assert did_you_mean("Bse.body", NAMES) == " (did you mean 'Base.body'?)"


def test_a_name_without_its_first_part():
    assert nearest("kp", NAMES)[0] == "Posture.kp"
    assert nearest("Pointt", NAMES) == ["geometry_msgs/msg/Point"]
    assert nearest("Elsewhere.kd", NAMES)[0] == "Posture.kd"
    assert nearest("Elsewhere.", NAMES) == []


def test_few_names_are_listed_and_many_are_not():
    few = [f"joint_{i}" for i in range(MOST_NAMES)]
    assert did_you_mean("x", few) == f" (valid names: {', '.join(sorted(few))})"
    many = [f"joint_{i:03}" for i in range(MOST_NAMES + 7)]
    text = did_you_mean("x", many)
    assert text.endswith(f", {many[MOST_NAMES - 1]} and 7 more)")
    assert many[MOST_NAMES] not in text


def test_nothing_to_choose_from():
    assert did_you_mean("x", []) == " (there are no names to choose from)"
