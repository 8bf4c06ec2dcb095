"""What each number of a robot's state is called."""

from collections.abc import Sequence

QUANTITIES = ("position", "velocity", "acceleration", "effort")
BASE_WORDS = (
    *(f"position of the base along {axis}" for axis in "xyz"),
    *(f"{axis} of the base's quaternion" for axis in "xyzw"),
    *(f"velocity of the base along {axis}" for axis in "xyz"),
    *(f"angular velocity of the base about {axis}" for axis in "xyz"),
)
HEADER = ("stamp", "number of the measurement", "number of the command it reflects")


def word_of(joint_names: Sequence[str], index: int) -> str:
    """Name a number of `RobotState.motion`."""
    words = (*HEADER, *BASE_WORDS)
    if index < len(words):
        return words[index]
    row, joint = divmod(index - len(words), len(joint_names))
    return f"{QUANTITIES[row]} of {joint_names[joint]}"
