"""Tell what holds the tasks of a controller back, and why."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.loading import loading
from controlit_ros.cli.options import (
    JsonOption,
    TransportOption,
    configuration_file,
    overrides,
)
from controlit_ros.client.explanations import GET_EXPLANATION, explanation_of
from controlit_ros.client.parameters import flow
from controlit_ros.client.previews import PREVIEW, preview_of
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.explanations.explanation import Cause, Explanation, TaskAccount, plain
from controlit_ros.explanations.preview import Preview


def command(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="Configuration file: a path or package://. [default: the running controller]",
            show_default=False,
            parser=configuration_file,
        ),
    ] = None,
    *,
    task: Annotated[
        str, typer.Option(metavar="NAME", help="Only this task.", show_default=False)
    ] = "",
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With FILE: state of the robot, as for `compute`. [default: the start of the "
            "simulated robot]",
            show_default=False,
        ),
    ] = None,
    latch: Annotated[
        bool,
        typer.Option("--latch", help="With FILE: all goals are where the robot is."),
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="With FILE: replace a value of it, as for `check`. Of a running controller: tell "
            "what setting a parameter such as Posture.kp=100 would do; nothing is set.",
            show_default=False,
        ),
    ] = None,
    controller: ControllerOption = None,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """Tell what holds the tasks of a controller back, and why."""
    preview = None
    if file is not None:
        explanation = _of_file(file, state, settings, latch=latch)
    elif state is not None or latch:
        raise typer.BadParameter("--state and --latch expect a FILE")
    elif settings:
        preview = _of_change(overrides(settings), controller, transport)
        explanation = preview.explanation
    else:
        answer = call(GET_EXPLANATION, controller, transport, task=task)
        explanation = explanation_of(answer.explanation)
    names = [account.name for account in explanation.tasks]
    if task and task not in names:
        raise ControlItError(f"unknown task {task!r}{did_you_mean(task, names)}")
    explanation = explanation.only(task)
    if as_json:
        change = {} if preview is None else _plain_change(preview)
        output.json_value({"stamp": explanation.stamp, **plain(explanation), **change})
        return
    _show(explanation)
    if preview is not None:
        _show_change(preview)


def _of_change(values: dict[str, Any], controller: str | None, transport: str | None) -> Preview:
    texts = [flow(value) for value in values.values()]
    return preview_of(call(PREVIEW, controller, transport, names=list(values), values=texts))


def _plain_change(preview: Preview) -> dict[str, Any]:
    return {
        "levels": [level._asdict() for level in preview.levels],
        "joints": list(preview.joints),
        "effort_now": preview.effort_now.tolist(),
        "effort": preview.effort.tolist(),
    }


def _show_change(preview: Preview) -> None:
    """Write what a change would do to levels and efforts."""
    output.text("\nNothing has been set. It would be:")
    levels = [
        (str(level.priority), str(level.rows), str(level.directions)) for level in preview.levels
    ]
    output.rendered("", output.table(("level", "rows [#]", "directions [#]"), levels))
    efforts = zip(preview.joints, preview.effort_now, preview.effort, strict=True)
    rows = [(joint, _number(now), _number(then)) for joint, now, then in efforts]
    output.rendered("", output.table(("joint", "effort now [SI]", "then [SI]"), rows))


def _of_file(
    file: Path, state: Path | None, settings: list[str] | None, *, latch: bool
) -> Explanation:
    from controlit_ros.nodes.building import load_stack  # noqa: PLC0415 - takes long
    from controlit_ros.nodes.explaining import explain_cycle  # noqa: PLC0415 - likewise
    from controlit_ros.nodes.offline import Latch, read_state, start_of  # noqa: PLC0415 - likewise

    with loading(file):
        stack = load_stack(file, overrides(settings))
        robot_state = start_of(stack)
        if state is not None:
            robot_state = read_state(state, robot_state, stack.constraints.couplings)
        return explain_cycle(stack, robot_state, Latch.ALL if latch else Latch.START)


def _show(explanation: Explanation) -> None:
    output.text(f"{explanation.controller} ({explanation.controller_type}), {explanation.state}")
    for cause in explanation.causes:
        output.text(f"  {_sentence(cause)}{_held(cause)}")
    if explanation.conflict:
        output.text("\nThese limits exclude each other:")
        for cause in explanation.conflict:
            output.text(f"  {_sentence(cause)}")
    output.rendered("", _table(explanation.tasks))
    for account in explanation.tasks:
        output.text(f"\n{account.name}:")
        for cause in account.causes:
            output.text(f"  {_sentence(cause)}")
        if not account.causes:
            output.text("  nothing holds it back")


def _table(accounts: tuple[TaskAccount, ...]) -> Any:
    """Write lengths of the vectors; one task alone, component by component."""
    headings = ("error", "asked [SI]", "got [SI]", "missing [SI]")
    if len(accounts) == 1:
        (account,) = accounts
        vectors = (account.error, account.asked, account.got, account.missing)
        rows = [
            (name, *(_number(v[i]) if i < len(v) else "" for v in vectors))
            for i, name in enumerate(account.components)
        ]
        return output.table((account.name, *headings), rows)
    cells = [
        (
            account.name,
            account.state,
            str(account.priority),
            *(_length(v) for v in (account.error, account.asked, account.got, account.missing)),
        )
        for account in accounts
    ]
    return output.table(("task", "state", "priority [#]", *headings), cells)


def _length(vector: tuple[float, ...]) -> str:
    return _number(math.hypot(*vector)) if vector else ""


def _number(value: float) -> str:
    return f"{value:.4g}"


def _sentence(cause: Cause) -> str:
    return f"{cause.kind.value}: {cause.text}"


def _held(cause: Cause) -> str:
    return f" (holds back {', '.join(cause.tasks)})" if cause.tasks else ""
