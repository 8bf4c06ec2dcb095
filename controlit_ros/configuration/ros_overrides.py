"""What parameters of ROS 2 mean in a configuration file."""

from collections.abc import Iterator, Mapping
from typing import Any

from controlit_ros.configuration.configuration import Configuration
from controlit_ros.configuration.parameters import ControllerParameters
from controlit_ros.configuration.sections import LISTINGS, NAMED, PARTS
from controlit_ros.errors import ControlItError, did_you_mean, show

USE_SIM_TIME = "use_sim_time"
"""Parameter of every node of ROS 2: whether its time is that of `/clock`."""

_WHOLE = frozenset(
    {"robot_description", "semantic_description", *ControllerParameters.model_fields}
)
_PARTAKING = {
    "compound_task": ("priority", "operational_state"),
    "constraint_set": ("operational_state",),
}
"""Parameters of parts that stand where it is said how they take part."""


class UnknownRosParameterError(ControlItError):
    """A node is started with a parameter that it does not have."""


def ros_overrides(values: Mapping[str, Any], configuration: Configuration) -> dict[str, Any]:
    """Return the overrides of a file for parameters of its node (see `load_configuration`).

    Parameters are named as `ros2 param list` has them, `Posture.kp`, or as the file does,
    `servo_frequency` and `tasks.Posture.kp`.

    Args:
        values: Plain values by name.
        configuration: The file without them.

    Raises:
        UnknownRosParameterError: There is no such parameter, or `use_sim_time` is no boolean.
    """
    owners = dict(_owners(configuration))
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name == USE_SIM_TIME:
            found |= _ros_time(value, configuration)
        else:
            found[_key(name, owners)] = value
    return found


def simulated_ros_time(configuration: Configuration) -> dict[str, Any]:
    """Return the overrides with which a controller runs in the time of `/clock`.

    A simulator of our own tells that time itself.
    """
    stated = {"servo_clock_type": "RosTime", "servo_clock.use_sim_time": True}
    if configuration.parameters.robot_interface_type == "MuJoCo":
        stated["robot_interface.publish_clock"] = True
    return stated


def _ros_time(value: Any, configuration: Configuration) -> dict[str, Any]:
    if not isinstance(value, bool):
        text = f"{USE_SIM_TIME}: found {show(value)}, expected true or false"
        raise UnknownRosParameterError(text)
    if value:
        return simulated_ros_time(configuration)
    is_stated = configuration.servo_clock.get(USE_SIM_TIME, False)
    return {f"servo_clock.{USE_SIM_TIME}": False} if is_stated else {}


def _owners(configuration: Configuration) -> Iterator[tuple[str, str]]:
    """Yield the parts of a controller and where their parameters stand."""
    for section in PARTS:
        yield section, section
    for listed in NAMED:
        for entry in getattr(configuration, listed):
            yield entry.name, f"{listed}.{entry.name}"


def _key(name: str, owners: Mapping[str, str]) -> str:
    name = name.removeprefix("parameters.")
    first, _, rest = name.partition(".")
    if first in _WHOLE:
        return name
    if first in (*NAMED, *LISTINGS.values()) and rest:
        return name
    if first not in owners or not rest:
        known = owners if rest else (USE_SIM_TIME, *_WHOLE)
        hint = did_you_mean(first, known)
        raise UnknownRosParameterError(f"unknown parameter {name!r}{hint}")
    place = owners[first]
    listing = LISTINGS.get(place.partition(".")[0], "")
    is_there = rest in _PARTAKING.get(listing, ())
    return f"{listing}.{first}.{rest}" if is_there else f"{place}.{rest}"
