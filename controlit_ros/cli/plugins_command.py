"""List installed plugins."""

import inspect
from typing import Any

import typer

from controlit_ros.cli import output
from controlit_ros.cli.options import JsonOption
from controlit_ros.installed import PREFIX, groups, package, plugins

app = typer.Typer()


@app.callback()
def group() -> None:
    """List installed plugins."""


@app.command("list")
def list_plugins(*, as_json: JsonOption = False) -> None:
    """List plugins of every kind with what they do."""
    rows: list[dict[str, Any]] = []
    for group_name in groups():
        for name, entry in plugins(group_name).items():
            row = {
                "kind": group_name.removeprefix(PREFIX),
                "name": name,
                "package": package(entry),
                "object": entry.value,
                "description": "",
                "error": None,
            }
            try:
                row["description"] = (inspect.getdoc(entry.load()) or "").partition("\n")[0]
            except Exception as error:  # noqa: BLE001 - a third party's module may fail in any way
                row["error"] = f"{type(error).__name__}: {error}"
            rows.append(row)
    if as_json:
        output.json_value(rows)
        return
    cells = [
        (
            row["kind"] if i == 0 or rows[i - 1]["kind"] != row["kind"] else "",
            row["name"],
            f"cannot be loaded: {row['error']}" if row["error"] else row["description"],
        )
        for i, row in enumerate(rows)
    ]
    output.rendered(output.table(("kind", "name", "description"), cells))
