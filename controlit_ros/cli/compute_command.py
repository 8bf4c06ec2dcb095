"""Compute one cycle of a controller without a robot."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import FileArgument, JsonOption, SetOption, overrides
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import load_stack
from controlit_ros.nodes.offline import Latch, compute_cycle, read_state, start_of


def command(
    file: FileArgument,
    *,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="State of the robot: positions, velocities by joint, base; what it leaves out is "
            "as at the start. [default: the start of the simulated robot]",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        bool,
        typer.Option(
            "--start",
            help="Goals that the file leaves out are where the robot is, as when control begins.",
        ),
    ] = False,
    latch: Annotated[
        bool,
        typer.Option("--latch", help="All goals are where the robot is: what it takes to stay."),
    ] = False,
    frames: Annotated[
        bool, typer.Option("--frames", help="Print where links and joints are, too.")
    ] = False,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compute one cycle of a controller without a robot."""
    stack = load_stack(file, overrides(settings))
    robot_state = start_of(stack)
    if state is not None:
        robot_state = read_state(state, robot_state)
    goals = Latch.ALL if latch else Latch.START if start else Latch.NONE
    result = compute_cycle(stack, robot_state, goals)
    if not all(map(math.isfinite, result["effort"])):
        raise ControlItError("the computed command is not finite")
    if as_json:
        output.json_value(result)
        return
    output.rendered(
        _command(result),
        "",
        _tasks(result["tasks"]),
        *(["", _frames(result["frames"])] if frames else []),
        "",
        f"centre of mass: {_numbers(result['com'])} m",
    )


def _command(result: dict[str, Any]) -> Any:
    """Write efforts beside their limits, and what of them gravity takes."""
    joints = result["joints"]
    limits = dict(zip(joints, result["effort_limit"], strict=True))
    effort, holding = (
        dict(zip(joints, result[name], strict=True)) for name in ("effort", "holding_effort")
    )
    columns = {
        "effort [N m]": _fixed(effort),
        "limit [N m]": {joint: _limit(limit) for joint, limit in limits.items()},
        "of it [%]": _shares(effort, limits),
        "gravity [N m]": _fixed(result["gravity"]),
        "to hold still [N m]": _fixed(holding),
        "of the limit [%]": _shares(holding, limits),
    }
    for name, unit in (("position", "rad"), ("velocity", "rad/s")):
        if result[name] is not None:
            columns[f"{name} [{unit}]"] = _fixed(dict(zip(joints, result[name], strict=True)))
    rows = [
        (joint, *(values.get(joint, "") for values in columns.values()))
        for joint in result["gravity"]
    ]
    return output.table(("joint", *columns), rows, "Command")


def _fixed(values: dict[str, float]) -> dict[str, str]:
    return {joint: f"{value:.4f}" for joint, value in values.items()}


def _limit(limit: float | None) -> str:
    return "none" if limit is None else f"{limit:g}"


def _shares(efforts: dict[str, float], limits: dict[str, float | None]) -> dict[str, str]:
    return {
        joint: f"{100.0 * abs(effort) / limit:.0f}"
        for joint, effort in efforts.items()
        if (limit := limits[joint])
    }


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
