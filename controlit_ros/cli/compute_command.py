"""`controlit compute`: one cycle of a controller without a robot."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import FileArgument, JsonOption, SetOption, overrides
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import load_stack
from controlit_ros.nodes.offline import compute_cycle, read_state, state_from_mapping


def command(
    file: FileArgument,
    *,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="State of the robot: positions, velocities by joint, base. [default: all zero]",
            show_default=False,
        ),
    ] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compute one cycle of a controller without a robot."""
    stack = load_stack(file, overrides(settings))
    joints = stack.robot.real_joints
    robot_state = state_from_mapping({}, joints) if state is None else read_state(state, joints)
    result = compute_cycle(stack, robot_state)
    if not all(map(math.isfinite, result["effort"])):
        raise ControlItError("the computed command is not finite")
    if as_json:
        output.json_value(result)
        return
    output.rendered(
        _command(result),
        "",
        _tasks(result["tasks"]),
        "",
        _frames(result["frames"]),
        "",
        f"centre of mass: {_numbers(result['com'])} m",
    )


def _command(result: dict[str, Any]) -> Any:
    effort = dict(zip(result["joints"], result["effort"], strict=True))
    columns = {"effort [N m]": effort, "gravity [N m]": result["gravity"]}
    for name, unit in (("position", "rad"), ("velocity", "rad/s")):
        if result[name] is not None:
            columns[f"{name} [{unit}]"] = dict(zip(result["joints"], result[name], strict=True))
    rows = [
        (joint, *(f"{values[joint]:.4f}" if joint in values else "" for values in columns.values()))
        for joint in result["gravity"]
    ]
    return output.table(("joint", *columns), rows, "Command")


def _tasks(tasks: dict[str, Any]) -> Any:
    rows = [
        (
            name,
            task["state"],
            str(task["priority"]),
            _numbers(task["error"]),
            _numbers(task["command"]),
        )
        for name, task in tasks.items()
    ]
    return output.table(("task", "state", "priority [#]", "error", "command"), rows, "Tasks")


def _frames(frames: dict[str, Any]) -> Any:
    rows = [
        (name, _numbers(frame["position"]), _numbers(frame["orientation"]))
        for name, frame in frames.items()
    ]
    return output.table(("frame", "position", "orientation xyzw"), rows, "Frames in the world [m]")


def _numbers(values: Any) -> str:
    listed = values if isinstance(values, list) else [values]
    return "[" + ", ".join(f"{value:.4f}" for value in listed) + "]"
