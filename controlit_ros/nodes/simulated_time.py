"""What a configuration needs so that time passes only when the program lets it."""

from controlit_ros.configuration import Configuration, changed
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building.section_builder import SIMULATOR

IN_ONE_THREAD = {
    "servo_clock_type": "Simulated",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
}
"""Settings of servo clock and updaters: all in the thread that advances the clock."""

IN_SIMULATED_TIME = {**IN_ONE_THREAD, "robot_interface.mode": "in_process"}
"""The same with MuJoCo's simulation in that thread."""


def simulated_time(configuration: Configuration) -> Configuration:
    """Return a configuration that runs in one thread, whatever its robot is.

    Raises:
        ConfigurationError: It cannot run like that.
    """
    is_ours = configuration.parameters.robot_interface_type == SIMULATOR
    return changed(configuration, IN_SIMULATED_TIME if is_ours else IN_ONE_THREAD)


def in_simulated_time(configuration: Configuration, why: str) -> Configuration:
    """Return a configuration that runs as fast as it computes.

    Args:
        configuration: As it was loaded.
        why: What needs that, for the message.

    Raises:
        ConfigurationError: It cannot run like that.
        ControlItError: Its robot is not simulated by MuJoCo.
    """
    found, expected = configuration.parameters.robot_interface_type, SIMULATOR
    if found != expected:
        keys = f", once robot_interface has no keys of {found}"
        raise ControlItError(
            f"found the robot interface {found!r}, expected {expected!r}: {why}; "
            f"--set robot_interface_type={expected} simulates the robot"
            f"{keys if configuration.robot_interface else ''}"
        )
    return simulated_time(configuration)
