"""Events with hysteresis and hold times: from the file to the servo and back into a file."""

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.describe import describe
from controlit_ros.nodes.running_configuration import running_text

TEXT = f"""name: r
robot_description: {REPOSITORY}/urdf/dreamer.urdf
parameters: {{robot_interface_type: Benchmark}}
tasks: [{{name: Posture, type: JointPosition, kp: 64, kd: 16}}]
compound_task: [{{name: Posture, priority: 0}}]
constraints: [{{name: Base, type: FlatContact}}]
constraint_set: [{{name: Base}}]
events:
  - {{name: There, expression: Posture.error_norm < 0.01, EXTRA}}
"""


def stack(extra):
    return build_stack(load_configuration(TEXT.replace("EXTRA", extra)))


def test_described_and_saved():
    built = stack("until: Posture.error_norm > 0.02, hold: 0.25")
    (event,) = built.events
    assert describe(built)["events"]["There"] == {
        "expression": "Posture.error_norm < 0.01",
        "until": "Posture.error_norm > 0.02",
        "hold": 0.25,
        "enabled": True,
    }
    event.hold.set(0.5)
    again = build_stack(load_configuration(running_text(built)))
    assert again.events[0].hold.value == 0.5
    assert again.events[0].until.text == "Posture.error_norm > 0.02"
    assert built.directory["There.hold"] is event.hold


def test_without_them_nothing_is_added_to_the_file():
    built = stack("enabled: true")
    assert "hold" not in running_text(built)
    assert "until" not in running_text(built)


@pytest.mark.parametrize(
    ("extra", "path"),
    [
        ("until: Posture.error_norm", "events[0].until"),
        ("until: Postur.error_norm > 1", "events[0].until"),
        ("until: ''", "events[0].until"),
        ("hold: -0.1", "events[0].hold"),
        ("hold: .inf", "events[0].hold"),
        ("hold: true", "events[0].hold"),
        ("hold: soon", "events[0].hold"),
    ],
)
def test_mistakes_stand_where_they_are(extra, path):
    with pytest.raises(ConfigurationError) as caught:
        stack(extra)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert problem.line == 9
