"""The launch file of the demonstrations, looked into where ROS 2 is; nothing is started."""

from pathlib import Path

import pytest

REASON = "ROS 2 is missing: launch_ros not importable"
pytest.importorskip("launch_ros.actions", reason=REASON)
launch = pytest.importorskip("launch.launch_context", reason=REASON)
actions = pytest.importorskip("launch.actions", reason=REASON)
sources = pytest.importorskip("launch.launch_description_sources", reason=REASON)
utilities = pytest.importorskip("launch.utilities", reason=REASON)

LAUNCH = Path(__file__).parents[2] / "launch"
pytestmark = [pytest.mark.processes, pytest.mark.ros]


def launched(file="demo", /, **values):
    """Return the context and what would be launched with these arguments."""
    context = launch.LaunchContext()
    description = sources.get_launch_description_from_python_launch_file(
        str(LAUNCH / f"{file}.launch.py")
    )
    for argument in description.get_launch_arguments():
        context.launch_configurations[argument.name] = utilities.perform_substitutions(
            context, argument.default_value
        )
    context.launch_configurations.update(values)
    (function,) = (e for e in description.entities if isinstance(e, actions.OpaqueFunction))
    return context, function.execute(context)


def command(context, node):
    """Return the words of a node's command line after the executable."""
    return [utilities.perform_substitutions(context, part) for part in node.cmd[1:]]


@pytest.mark.parametrize("name", ["hands", "disassembly", "repositioning", "humanoid"])
def test_runs_the_demonstration(name):
    context, (demo, _) = launched(demo=name, duration="3", report="here")
    words = command(context, demo)
    assert words[:6] == ["demo", name, "--transport", "auto", "--seed", "0"]
    assert words[6:10] == ["--duration", "3", "--report", "here"]


@pytest.mark.parametrize("name", ["disassembly", "repositioning", "humanoid"])
def test_demonstrations_with_a_file_of_their_own(name):
    context, (demo, _) = launched(name)
    assert command(context, demo)[:2] == ["demo", name]


def test_rviz_on_request():
    _, without = launched()
    _, with_rviz = launched(rviz="true")
    assert len(with_rviz) == len(without) + 1
