"""latch: let tasks stay where the robot is."""

from collections.abc import Iterable

from controlit_console.parts import PartView, latches
from controlit_ros.client import RefusedError, Robot


def latch(robot: Robot, tasks: Iterable[PartView]) -> str:
    """Let tasks that act stay where the robot is, in one cycle; return what was done, in words.

    Where that is refused, for the present mode may not take the goals of one of them, each is asked
    for by itself, so that none goes on because of another.

    Raises:
        ClientError: The controller is gone.
    """
    values = latches(tasks)
    if not values:
        return "No task acts that could be stopped."
    try:
        robot.set(values)
    except RefusedError:
        return _one_by_one(robot, list(values))
    return f"Stopped: the goals are where the robot is ({_names(values)})."


def _one_by_one(robot: Robot, names: list[str]) -> str:
    held, refused = [], []
    for name in names:
        try:
            robot.set({name: True})
            held.append(name)
        except RefusedError as error:
            refused.append(str(error))
    told = f"Stopped: the goals are where the robot is ({_names(held)}). " if held else ""
    return f"{told}Refused: {'; '.join(refused)}"


def _names(values: Iterable[str]) -> str:
    return ", ".join(name.removesuffix(".tare") for name in values)
