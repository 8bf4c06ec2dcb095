"""CoordinatorState: where a coordinator stands."""

from enum import Enum


class CoordinatorState(Enum):
    """Where the coordinator stands; names follow ROS 2 managed nodes."""

    INACTIVE = "inactive"
    ACTIVE = "active"
    SAFE = "safe"
