"""Entries that come while a configuration is in use: checked as a file is, with their own lines."""

import pytest

from controlit_ros.configuration import ConfigurationError, extended, load_configuration, reduced

PART = {"priority": 3, "operational_state": "sense"}
ELBOW = "name: Elbow\ntype: CartesianPosition\nbody: right_elbow\nkp: 30\n"


@pytest.fixture
def configuration(hands_yaml):
    return load_configuration(hands_yaml)


def test_an_entry_is_the_last_of_its_section(configuration):
    extension = extended(configuration, "tasks", ELBOW, PART)
    more = extension.configuration
    assert more.tasks[:-1] == configuration.tasks
    assert dict(more.tasks[-1].parameters) == {"body": "right_elbow", "kp": 30}
    assert (more.compound_task[-1].priority, more.compound_task[-1].operational_state) == (
        3,
        "sense",
    )
    assert extension.number == len(configuration.tasks)
    assert (more.source, more.folder, more.text) == (
        configuration.source,
        configuration.folder,
        configuration.text,
    )
    assert reduced(more, "tasks", "Elbow") == configuration


def test_as_it_stands_in_a_file_or_without_the_dash(configuration):
    listed = "  - " + ELBOW.replace("\n", "\n    ")
    plain, dashed = (
        extended(configuration, "tasks", text, PART).configuration for text in (ELBOW, listed)
    )
    assert plain == dashed


def test_events_come_and_go_as_well(configuration):
    text = "{name: Near, expression: RightHandPosition.error_norm < 0.01, hold: 0.5}"
    more = extended(configuration, "events", text, {}).configuration
    assert more.events[-1].hold == 0.5
    assert reduced(more, "events", "Near") == configuration


def test_what_ties_a_part_to_topics_leaves_with_it(hands_yaml):
    text = hands_yaml.read_text() + (
        "\nbindings:\n"
        "  - {parameter: Posture.kp, direction: input, topic: stiffness}\n"
        "  - {parameter: RightHandPosition.kp, direction: input, topic: hand_stiffness}\n"
    )
    configuration = load_configuration(text)
    less = reduced(configuration, "tasks", "Posture")
    assert [entry.topic for entry in less.bindings] == ["hand_stiffness"]
    assert "Posture" not in [entry.name for entry in (*less.tasks, *less.compound_task)]


@pytest.mark.parametrize(
    ("section", "kind"), [("inequalities", "JointBounds"), ("behaviours", "Walking")]
)
def test_a_name_is_taken_by_parts_of_every_kind(hands_yaml, section, kind):
    text = f"{hands_yaml.read_text()}\n{section}: [{{name: Near, type: {kind}}}]\n"
    with pytest.raises(ConfigurationError) as caught:
        extended(load_configuration(text), "tasks", "name: Near\ntype: JointPosition", PART)
    told = f"<text>:1:1: name: the name 'Near' is taken by one of the {section}"
    assert str(caught.value).splitlines()[-1].strip() == told


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        (
            "name: Posture\ntype: JointPosition",
            PART,
            "<text>:1:1: name: the name 'Posture' is taken by one of the tasks",
        ),
        (
            "- name: Elbow\n  type: CartesianPositio",
            PART,
            "<text>:2:3: type: found 'CartesianPositio', expected a task type (did you mean",
        ),
        ("", PART, "<text>:1:1: found nothing, expected one entry: a map with a name"),
        ("- 1\n- 2", PART, "<text>:1:1: found [1, 2], expected one entry: a map with a name"),
        ("a: [", PART, "<text>:1:5: YAML syntax"),
        ("kp: 3", PART, "<text>:1:1: the key 'name' is missing"),
        (ELBOW, {"priority": -1}, "<text>:1:1: priority: found -1, expected a number >= 0"),
        (
            ELBOW,
            {"priority": 1, "operational_state": "on"},
            "<text>:1:1: operational_state: found 'on', expected 'enable', 'disable' or 'sense'",
        ),
        (
            "name: servo_clock\ntype: JointPosition",
            PART,
            "<text>:1:1: name: 'servo_clock' is a part of every controller, expected another name",
        ),
    ],
)
def test_mistakes_are_told_with_their_place_in_the_text(configuration, text, part, expected):
    with pytest.raises(ConfigurationError) as raised:
        extended(configuration, "tasks", text, part)
    assert any(line.startswith(expected) for line in str(raised.value).splitlines()), raised.value
