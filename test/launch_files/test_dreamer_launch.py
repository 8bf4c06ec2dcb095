"""The launch file of Dreamer, looked into where ROS 2 is; nothing is started."""

from pathlib import Path

import pytest

REASON = "ROS 2 is missing: launch_ros not importable"
pytest.importorskip("launch_ros.actions", reason=REASON)
launch = pytest.importorskip("launch.launch_context", reason=REASON)
actions = pytest.importorskip("launch.actions", reason=REASON)
sources = pytest.importorskip("launch.launch_description_sources", reason=REASON)
utilities = pytest.importorskip("launch.utilities", reason=REASON)

ROOT = Path(__file__).parents[2]
DREAMER = ROOT / "launch" / "dreamer.launch.py"
ARGUMENTS = {"config", "robot", "namespace", "transport", "lifecycle", "use_sim_time", "rviz"}
pytestmark = pytest.mark.ros


def described():
    return sources.get_launch_description_from_python_launch_file(str(DREAMER))


def launched(**values):
    """Return the context and what would be launched with these arguments."""
    context, description = launch.LaunchContext(), described()
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


def test_every_argument_is_described():
    arguments = {argument.name: argument for argument in described().get_launch_arguments()}
    assert set(arguments) == ARGUMENTS
    assert all(len(argument.description) > 20 for argument in arguments.values())


def test_the_servo_runs_the_configuration():
    context, (servo, _) = launched()
    words = command(context, servo)
    assert words[0] == "run"
    assert words[1].endswith("config/dreamer/hands.yaml")
    assert words[2:6] == ["--transport", "auto", "--lifecycle", "active"]
    assert "--set" not in words


def test_arguments_reach_the_servo(tmp_path):
    urdf = tmp_path / "robot.urdf"
    urdf.write_text((ROOT / "urdf" / "dreamer.urdf").read_text(encoding="utf-8"))
    context, (servo, *_) = launched(
        config="hands_3d", namespace="left_arm", robot=str(urdf), transport="dds",
        lifecycle="inactive",
    )  # fmt: skip
    words = command(context, servo)
    assert words[1].endswith("hands_3d.yaml")
    assert words[2:6] == ["--transport", "dds", "--lifecycle", "inactive"]
    assert words[6:10] == ["--set", "name=left_arm", "--set", f"robot_description={urdf}"]


def test_rviz_on_request():
    _, without = launched()
    _, with_rviz = launched(rviz="true")
    assert len(with_rviz) == len(without) + 1


def test_it_can_be_included():
    source = sources.PythonLaunchDescriptionSource(str(DREAMER))
    included = actions.IncludeLaunchDescription(source, launch_arguments=[("rviz", "false")])
    assert included.launch_description_source is source
