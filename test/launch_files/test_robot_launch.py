"""The launch files of robots, looked into where ROS 2 is; nothing is started."""

from pathlib import Path

import pytest

from controlit_ros.share import share_directory

REASON = "ROS 2 is missing: launch_ros not importable"
pytest.importorskip("launch_ros.actions", reason=REASON)
launch = pytest.importorskip("launch.launch_context", reason=REASON)
actions = pytest.importorskip("launch.actions", reason=REASON)
sources = pytest.importorskip("launch.launch_description_sources", reason=REASON)
utilities = pytest.importorskip("launch.utilities", reason=REASON)

ROOT = Path(__file__).parents[2]
ROBOTS = {
    "dreamer": "hands",
    "trikey": "drive",
    "talos": "stand",
    "panda": "reach",
    "baxter": "arms",
    "tiago": "hands",
    "icub": "stand",
    "g1": "stand",
    "bolt": "walk",
}
ARGUMENTS = {
    "config", "robot", "namespace", "frame_prefix", "transport", "lifecycle", "use_sim_time",
    "rviz",
}  # fmt: skip
pytestmark = [pytest.mark.processes, pytest.mark.ros]


def file(robot):
    return str(ROOT / "launch" / f"{robot}.launch.py")


def described(robot="dreamer"):
    return sources.get_launch_description_from_python_launch_file(file(robot))


def launched(robot="dreamer", /, **values):
    """Return the context and what would be launched with these arguments."""
    context, description = launch.LaunchContext(), described(robot)
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


def test_every_robot_has_a_launch_file():
    folders = {path.parent.name for path in (ROOT / "config").glob("*/*.yaml")}
    assert folders == set(ROBOTS)


@pytest.mark.parametrize("robot", ROBOTS)
def test_every_argument_is_described(robot):
    arguments = {argument.name: argument for argument in described(robot).get_launch_arguments()}
    assert set(arguments) == ARGUMENTS
    assert all(len(argument.description) > 20 for argument in arguments.values())


@pytest.mark.parametrize(("robot", "config"), ROBOTS.items())
def test_the_servo_runs_the_configuration(robot, config):
    context, (servo, _) = launched(robot)
    words = command(context, servo)
    assert words[0] == "run"
    assert words[1].endswith(f"config/{robot}/{config}.yaml")
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


def test_a_prefix_of_frames_reaches_the_servo():
    context, (servo, *_) = launched(frame_prefix="left/")
    assert command(context, servo)[6:8] == ["--set", "frame_prefix=left/"]


def test_two_robots_in_one_file():
    entities = described("two_dreamers").entities
    included = [e for e in entities if isinstance(e, actions.IncludeLaunchDescription)]
    assert [dict(e.launch_arguments)["frame_prefix"] for e in included] == ["left/", "right/"]


def test_simulated_time_is_one_for_all():
    context, (servo, _) = launched(use_sim_time="true")
    words = command(context, servo)
    assert words[6:12:2] == ["--set"] * 3
    assert words[7:12:2] == [
        "servo_clock_type=RosTime",
        "servo_clock.use_sim_time=true",
        "robot_interface.publish_clock=true",
    ]


def test_rviz_on_request():
    _, without = launched()
    _, with_rviz = launched(rviz="true")
    assert len(with_rviz) == len(without) + 1


@pytest.mark.parametrize("robot", ROBOTS)
def test_rviz_shows_the_robots_own_layout(robot):
    companions = pytest.importorskip("controlit_ros.launching.companions")
    shared = share_directory() / "config"
    configurations = list((shared / robot).glob("*.yaml"))
    assert configurations
    for config in configurations:
        assert companions.layout(config) == shared / "rviz" / f"{robot}.rviz"


def test_rviz_shows_other_robots_in_the_common_layout(tmp_path):
    companions = pytest.importorskip("controlit_ros.launching.companions")
    assert companions.layout(tmp_path / "mine.yaml").is_file()


def test_rviz_shows_the_layout_beside_a_file(tmp_path):
    companions = pytest.importorskip("controlit_ros.launching.companions")
    own = tmp_path / "mine.rviz"
    own.write_text("Panels: []")
    assert companions.layout(tmp_path / "mine.yaml") == own


@pytest.mark.parametrize("robot", ROBOTS)
def test_it_can_be_included(robot):
    source = sources.PythonLaunchDescriptionSource(file(robot))
    included = actions.IncludeLaunchDescription(source, launch_arguments=[("rviz", "false")])
    assert included.launch_description_source is source
