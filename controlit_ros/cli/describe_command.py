"""Show what a configuration file compiles to; nothing runs."""

from typing import Any

from rich.tree import Tree

from controlit_ros.cli import output
from controlit_ros.cli.effort_columns import fixed, limits, shares
from controlit_ros.cli.options import FileArgument, JsonOption, SetOption, overrides
from controlit_ros.cli.plain_values import rounded, write_flow
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.describe import describe


def command(file: FileArgument, *, settings: SetOption = None, as_json: JsonOption = False) -> None:
    """Show what a configuration file compiles to; nothing runs."""
    stack = load_stack(file, overrides(settings))
    for text in stack.warnings:
        output.warning(f"{stack.configuration.source}:{text}")
    content = describe(stack)
    if as_json:
        output.json_value(content)
        return
    output.rendered(
        _overview(content),
        "",
        _joints(content["robot"]),
        "",
        _tasks(content),
        "",
        _constraints("constraint", content["constraints"]),
        "",
        *([_constraints("inequality", kept), ""] if (kept := content["inequalities"]) else []),
        _bindings(content["bindings"]),
        *(["", _events(content["events"])] if content["events"] else []),
    )


def _overview(content: dict[str, Any]) -> Tree:
    robot, clock = content["robot"], content["servo_clock"]
    tree = Tree(content["name"])
    tree.add(
        f"robot: {len(robot['real_joints'])} joints, {robot['degrees_of_freedom']} degrees of "
        f"freedom with the base, {len(robot['links'])} links"
    )
    for title, part in (
        ("controller", content["controller"]),
        *content["whole_body_controllers"].items(),
        ("robot interface", content["robot_interface"]),
        ("servo clock", clock),
    ):
        rate = f", {clock['frequency']:g} Hz" if part is clock else ""
        branch = tree.add(f"{title}: {part['type']}{rate}")
        for name, value in part["parameters"].items():
            branch.add(f"{name}: {_short(value)}")
    return tree


def _joints(robot: dict[str, Any]) -> Any:
    bounds, holding = (
        dict(zip(robot["command_joints"], robot[name], strict=True))
        for name in ("effort_limit", "holding_effort")
    )
    orders = ("real", "actuable", "command")
    columns = {
        **{f"{order} [#]": _numbers(robot[f"{order}_joints"]) for order in orders},
        "limit [N m]": limits(bounds),
        "to hold still [N m]": fixed(holding),
        "of the limit [%]": shares(holding, bounds),
    }
    rows = [
        (joint, *(column.get(joint, "") for column in columns.values()))
        for joint in robot["real_joints"]
    ]
    return output.table(("joint", *columns), rows, "Joints, where the robot begins")


def _numbers(joints: list[str]) -> dict[str, str]:
    return {joint: str(number) for number, joint in enumerate(joints)}


def _tasks(content: dict[str, Any]) -> Any:
    rows = []
    placed = set()
    for level in content["levels"]:
        for name in level["tasks"]:
            placed.add(name)
            rows.append((str(level["priority"]), name, *_part(content["tasks"][name])))
    rows += [
        ("", name, *_part(task)) for name, task in content["tasks"].items() if name not in placed
    ]
    return output.table(
        ("level [#]", "task", "type", "parameters"), rows, "Tasks, highest level first"
    )


def _constraints(kind: str, constraints: dict[str, Any]) -> Any:
    rows = [(name, str(part["rows"]), *_part(part)) for name, part in constraints.items()]
    title = {"constraint": "Constraints", "inequality": "Inequalities"}[kind]
    return output.table((kind, "rows [#]", "type", "parameters"), rows, title)


def _bindings(bindings: list[dict[str, Any]]) -> Any:
    rows = [
        (
            binding["parameter"],
            "←" if binding["direction"] == "input" else "→",
            binding["topic"],
            binding["type"] or binding["transport_type"],
            "" if binding["rate"] is None else f"{binding['rate']:g}",
        )
        for binding in bindings
    ]
    return output.table(("parameter", "", "topic", "type", "rate [Hz]"), rows, "Bindings")


def _events(events: dict[str, Any]) -> Any:
    rows = [
        (
            name,
            event["expression"],
            event["until"] or "",
            f"{event['hold']:g}" if event["hold"] else "",
            "" if event["enabled"] else "disabled",
        )
        for name, event in events.items()
    ]
    return output.table(("event", "expression", "until", "hold [s]", ""), rows, "Events")


def _part(part: dict[str, Any]) -> tuple[str, str]:
    skipped = ("priority",)
    shown = {
        name: value for name, value in part["parameters"].items() if name not in skipped and value
    }
    return part["type"], ", ".join(f"{name} {_short(value)}" for name, value in shown.items())


def _short(value: Any) -> str:
    if isinstance(value, list) and len(value) > 4 and all(entry == value[0] for entry in value):
        return f"{len(value)} x {write_flow(value[0])}"
    return write_flow(rounded(value))
