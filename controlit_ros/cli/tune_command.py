"""Find the highest gains that stay stable, in simulation."""

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.loading import loading
from controlit_ros.cli.new_files import ForceOption, check_new, write_new
from controlit_ros.cli.options import FileArgument, JsonOption, SetOption, overrides
from controlit_ros.configuration import load_configuration
from controlit_ros.recording.report import NO_MATPLOTLIB
from controlit_ros.tuning.recommended_file import recommended_text
from controlit_ros.tuning.task_gains import TaskGains
from controlit_ros.tuning.tuner import TaskTuning, Tuner, Tuning


def command(
    file: FileArgument,
    *,
    tasks: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="NAME", help="Only this task.", show_default=False),
    ] = None,
    settings: SetOption = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the configuration with the recommended gains.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    write: Annotated[
        bool, typer.Option("--write", help="Put the recommended gains into FILE itself.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the steps, a PNG.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the highest gains that stay stable, in simulation."""
    if write and target is not None:
        raise typer.BadParameter("--write and --output exclude each other")
    target = file if write else target
    if target is not None:
        check_new(target, force=force or write)
    with loading(file):
        tuner = Tuner(load_configuration(file, overrides(settings)), output.note)
    if tuner.assumed:
        output.note(f"assumed, as the configuration states none: {_assumptions(tuner)}")
    with _quiet():
        tuning = tuner.tune(tasks or ())
    if as_json:
        output.json_value({**_plain(tuning), "assumed": tuner.assumed})
    else:
        _show(tuning)
        if tuner.assumed:
            output.text(f"assumed: {_assumptions(tuner)}; state those of your robot")
    if plot is not None:
        _draw(tuning, [task.name for task in tuner.stack.tasks.tasks], plot)
    if target is not None:
        text = recommended_text(tuner.stack, tuning.tasks, target.parent)
        write_new(target, text, force=force or write)
        output.note(f"recommended gains are in {target}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep to itself what controllers complain of whose gains are meant to be too high."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _assumptions(tuner: Tuner) -> str:
    """Return what is assumed of the robot interface, as a file or `--set` would state it."""
    parameters = tuner.stack.robot_interface.parameters
    return ", ".join(
        f"robot_interface.{key}={value:g} [{parameters[key].unit}]"
        for key, value in tuner.assumed.items()
    )


def _draw(tuning: Tuning, names: list[str], path: Path) -> None:
    try:
        from controlit_ros.tuning.step_picture import write_picture  # noqa: PLC0415 - an optional dependency
    except ImportError:
        output.warning(NO_MATPLOTLIB)
        return
    write_picture(tuning, names, path)


def _show(tuning: Tuning) -> None:
    headings = (
        "task", "present kp, kd", "highest stable", "recommended", "margin [-]", "more delay [ms]",
        "effort [%]", "inertia [kg, kg m²]", "limited by",
    )  # fmt: skip
    rows = [
        (
            task.name,
            _gains(task.present),
            _gains(task.highest),
            _gains(task.recommended),
            _number(task.margin),
            _number(1e3 * task.delay_margin),
            _number(100.0 * task.effort),
            _number(task.inertia),
            task.bound.value,
        )
        for task in tuning.tasks
    ]
    output.rendered(output.table(headings, rows))
    for name, why in tuning.left_out.items():
        output.text(f"{name} is left out: {why}")
    if tuning.together:
        output.text("all recommended gains together: every step fades")
    elif tuning.tasks:
        output.text("all recommended gains together: steps do not fade")


def _gains(gains: TaskGains | None) -> str:
    if gains is None:
        return "none found"
    integral = f", ki {_range(gains.ki)}" if gains.ki.any() else ""
    return f"{_range(gains.kp)}, {_range(gains.kd)}{integral}"


def _range(values: Any) -> str:
    low, high = _number(float(values.min())), _number(float(values.max()))
    return low if low == high else f"{low} to {high}"


def _number(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "-"


def _plain(tuning: Tuning) -> dict[str, Any]:
    return {
        "tasks": {task.name: _plain_task(task) for task in tuning.tasks},
        "left_out": dict(tuning.left_out),
        "together": tuning.together,
    }


def _plain_task(task: TaskTuning) -> dict[str, Any]:
    gains = {key: getattr(task, key) for key in ("present", "highest", "beyond", "recommended")}
    return {
        **{key: None if value is None else _lists(value) for key, value in gains.items()},
        "margin": task.margin,
        "delay_margin": task.delay_margin,
        "dead_time": task.dead_time,
        "effort": task.effort,
        "inertia": task.inertia,
        "limited_by": task.bound.value,
    }


def _lists(gains: TaskGains) -> dict[str, list[float]]:
    return {key: value.tolist() for key, value in gains._asdict().items()}
