"""Launch a controller of a robot on its simulation."""

from functools import partial
from pathlib import Path

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import OpaqueFunction
from launch_ros.actions import Node

from controlit_ros.cli.plain_values import write_flow
from controlit_ros.configuration import load_configuration
from controlit_ros.configuration.ros_overrides import simulated_ros_time
from controlit_ros.launching.arguments import declare, flag, text
from controlit_ros.launching.companions import companions
from controlit_ros.share import share_directory

STOP_PATIENCE = "5"  # [s] between SIGINT and SIGTERM; a servo ends within two


def robot_launch(folder: str, config: str) -> LaunchDescription:
    """Return a description that runs a controller; nothing is looked for before it is launched.

    Args:
        folder: Of the robot's configurations, below `config`.
        config: Name of the one to run unless the argument `config` says otherwise.
    """
    arguments = {
        "config": (config, f"Configuration: the name of a file in config/{folder}, or a path."),
        "robot": ("", "URDF of the robot: a path or package://...; empty: as configured."),
        "namespace": (
            "",
            "Name of the controller and namespace of its topics; empty: as configured.",
        ),
        "frame_prefix": (
            "",
            "What stands before the names of frames, robot1/ for example; empty: as configured.",
        ),
        "transport": (
            "auto",
            "How the servo talks: rclpy, dds (ROS 2's wire without it), or auto.",
        ),
        "lifecycle": (
            "active",
            "How far the servo goes by itself: unconfigured, inactive or active.",
        ),
        "use_sim_time": (
            "false",
            "Whether everything runs in the time of /clock; a simulator of our own publishes it.",
        ),
        "rviz": ("false", "Whether to start RViz."),
    }
    nodes = OpaqueFunction(function=partial(_nodes, folder))
    return LaunchDescription([*declare(arguments), nodes])


def _nodes(folder: str, context: LaunchContext) -> list[LaunchDescriptionEntity]:
    path = _configuration(folder, text(context, "config"))
    overrides = {
        "name": text(context, "namespace"),
        "robot_description": text(context, "robot"),
        "frame_prefix": text(context, "frame_prefix"),
    }
    stated = {key: value for key, value in overrides.items() if value}
    configuration = load_configuration(path, stated)
    use_sim_time = flag(context, "use_sim_time")
    if use_sim_time:
        clock = simulated_ros_time(configuration)
        stated |= {key: write_flow(value) for key, value in clock.items()}
    words = ["run", str(path), "--transport", text(context, "transport")]
    words += ["--lifecycle", text(context, "lifecycle")]
    for key, value in stated.items():
        words += ["--set", f"{key}={value}"]
    servo = Node(
        package="controlit",
        executable="controlit",
        arguments=words,
        output="screen",
        emulate_tty=True,
        sigterm_timeout=STOP_PATIENCE,
    )
    rviz = flag(context, "rviz")
    return [servo, *companions(configuration, rviz=rviz, use_sim_time=use_sim_time)]


def _configuration(folder: str, name: str) -> Path:
    shipped = share_directory() / "config" / folder / f"{name}.yaml"
    return shipped if shipped.is_file() else Path(name).expanduser()
