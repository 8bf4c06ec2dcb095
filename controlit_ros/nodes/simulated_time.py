"""What a configuration needs so that time passes only when the program lets it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.robots.mujoco import MuJoCo

IN_ONE_THREAD = {
    "servo_clock_type": "Simulated",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
}
"""Settings of servo clock and updaters: all in the thread that advances the clock."""

IN_SIMULATED_TIME = {**IN_ONE_THREAD, "robot_interface.mode": "in_process"}
"""The same with MuJoCo's simulation in that thread."""


def simulated_time(configuration: str | Path, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return overrides with which a configuration runs in one thread, whatever its robot is.

    Raises:
        ConfigurationError: The configuration is wrong.
    """
    found = load_configuration(configuration, overrides).parameters.robot_interface_type
    return {**overrides, **(IN_SIMULATED_TIME if found == MuJoCo.__name__ else IN_ONE_THREAD)}


def in_simulated_time(path: str | Path, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return overrides with which a configuration runs as fast as it computes.

    Raises:
        ConfigurationError: The configuration is wrong.
        ControlItError: Its robot is not simulated by MuJoCo.
    """
    found = load_configuration(path, overrides).parameters.robot_interface_type
    if found != MuJoCo.__name__:
        raise ControlItError(
            f"found the robot interface {found!r}, expected {MuJoCo.__name__!r}: simulated time "
            "(--fast) does not leave the process"
        )
    return {**overrides, **IN_SIMULATED_TIME}
