"""Arguments of launch files."""

from collections.abc import Iterable

from launch import LaunchContext
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration

from controlit_ros.cli.plain_values import read_value


def declare(arguments: dict[str, tuple[str, str]]) -> list[DeclareLaunchArgument]:
    """Return declarations from default values and descriptions, by name."""
    return [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, (default, description) in arguments.items()
    ]


def passed(names: Iterable[str]) -> list[tuple[str, LaunchConfiguration]]:
    """Return arguments as an included launch file takes them on."""
    return [(name, LaunchConfiguration(name)) for name in names]


def text(context: LaunchContext, name: str) -> str:
    """Return what an argument was set to."""
    return str(LaunchConfiguration(name).perform(context))


def flag(context: LaunchContext, name: str) -> bool:
    """Return what a boolean argument was set to.

    Raises:
        ControlItError: It is neither true nor false.
    """
    return bool(read_value(text(context, name), name))
