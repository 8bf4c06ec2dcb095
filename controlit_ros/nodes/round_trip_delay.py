"""How long the way to the robot and back takes."""

import numpy as np

from controlit_ros.configuration import ControllerParameters
from controlit_ros.robots import RobotInterface

PARAMETER = "communication_delay"
"""Of a robot interface: age of states and of commands when they arrive [s]."""


def round_trip_delay(parameters: ControllerParameters, interface: RobotInterface) -> float:
    """Return the dead time between a measurement and what a command that answers it does [s].

    Args:
        parameters: Their `round_trip_delay` counts, if it is stated.
        interface: Of the robot or of its simulator, whose own delay counts otherwise.
    """
    if parameters.round_trip_delay is not None:
        return parameters.round_trip_delay
    stated = interface.parameters.get(PARAMETER)
    return 0.0 if stated is None else float(np.sum(stated.value))
