"""Compute one cycle of a controller without a robot."""

from pathlib import Path
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.effort_columns import fixed, limits, shares
from controlit_ros.cli.loading import loading
from controlit_ros.cli.options import FileArgument, JsonOption, SetOption, overrides
from controlit_ros.nodes.building import load_stack
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
    goals = Latch.ALL if latch else Latch.START if start else Latch.NONE
    with loading(file):
        stack = load_stack(file, overrides(settings))
        robot_state = start_of(stack)
        if state is not None:
            robot_state = read_state(state, robot_state, stack.constraints.couplings)
        result = compute_cycle(stack, robot_state, goals)
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
    """Write computed and sent efforts, their limits, and the effort of gravity."""
    joints = result["joints"]
    computed, effort, bounds, holding = (
        dict(zip(joints, result[name], strict=True))
        for name in ("computed_effort", "effort", "effort_limit", "holding_effort")
    )
    columns = {
        "computed [N m]": fixed(computed),
        "sent [N m]": fixed(effort),
        "limit [N m]": limits(bounds),
        "of it [%]": shares(effort, bounds),
        "gravity [N m]": fixed(result["gravity"]),
        "to hold still [N m]": fixed(holding),
        "of the limit [%]": shares(holding, bounds),
    }
    for name, unit in (("position", "rad"), ("velocity", "rad/s")):
        if result[name] is not None:
            columns[f"{name} [{unit}]"] = fixed(dict(zip(joints, result[name], strict=True)))
    rows = [
        (joint, *(values.get(joint, "") for values in columns.values()))
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
