"""Launch a demonstration."""

import os

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import OpaqueFunction, Shutdown
from launch_ros.actions import Node

from controlit_demos.registry import demo_class, demonstrations
from controlit_ros.configuration import load_configuration
from controlit_ros.launching.arguments import declare, flag, text
from controlit_ros.launching.companions import companions
from controlit_ros.share import share_directory

STOP_PATIENCE = "15"  # [s] between SIGINT and SIGTERM; a demonstration reports before it ends
DOMAIN = "ROS_DOMAIN_ID"


def demo_launch(demo: str) -> LaunchDescription:
    """Return a description that runs a demo; nothing is looked for before it is launched.

    Args:
        demo: The one to run unless the argument `demo` says otherwise.
    """
    arguments = {
        "demo": (demo, f"Which demonstration: {', '.join(demonstrations())}."),
        "transport": (
            "auto",
            "How client and servo talk: rclpy, dds (ROS 2's wire without it), or auto.",
        ),
        "duration": (
            "",
            "End after so much motion, in seconds; empty: the whole demonstration.",
        ),
        "seed": ("0", "Seed of everything random in it."),
        "report": ("", "Folder of the report; empty: reports/<demo>-<time>."),
        "rviz": ("false", "Whether to start RViz."),
    }
    return LaunchDescription([*declare(arguments), OpaqueFunction(function=_nodes)])


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    name = text(context, "demo")
    path = share_directory() / "config" / demo_class(name).configuration_name
    words = ["demo", name, "--transport", text(context, "transport")]
    words += ["--seed", text(context, "seed")]
    for option in ("duration", "report"):
        if value := text(context, option):
            words += [f"--{option}", value]
    # a demonstration keeps to itself unless it is told a domain: here others shall see it
    demo = Node(
        package="controlit",
        executable="controlit",
        arguments=words,
        output="screen",
        emulate_tty=True,
        sigterm_timeout=STOP_PATIENCE,
        additional_env={DOMAIN: os.environ.get(DOMAIN) or "0"},
        on_exit=Shutdown(),
    )
    return [demo, *companions(load_configuration(path), rviz=flag(context, "rviz"))]
