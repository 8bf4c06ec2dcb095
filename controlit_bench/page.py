"""One HTML page with the tables and, where matplotlib is installed, the plots."""

import base64
import html
import io
from collections.abc import Sequence
from importlib.util import find_spec

from controlit_bench.machine import Machine
from controlit_bench.section import Section

STYLE = (
    "body{font:15px sans-serif;max-width:75em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ccc;"
    "text-align:right}td:first-child,th:first-child{text-align:left}"
)


def render_page(machine: Machine, sections: Sequence[Section]) -> str:
    """Return the page; it needs no other file."""
    parts = [
        f"<!doctype html><meta charset=utf-8><title>controlit bench</title><style>{STYLE}</style>",
        "<h1>controlit bench</h1>",
        f"<pre>{html.escape(str(machine))}</pre>",
    ]
    for section in sections:
        parts.append(f"<h2>{html.escape(section.title)}</h2><table>")
        parts.append(_row("th", section.columns))
        parts.extend(_row("td", cells) for cells in section.cells())
        parts.append("</table>")
        parts.extend(f"<p>{html.escape(remark)}</p>" for remark in section.remarks)
        parts.extend(_plots(section))
    return "\n".join(parts)


def _row(tag: str, cells: Sequence[str]) -> str:
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def _plots(section: Section) -> list[str]:
    if not section.curves or find_spec("matplotlib") is None:
        return []
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional dependency

    figure = Figure(figsize=(9, 3.2), layout="constrained")
    panels = figure.subplots(1, len(section.curves), squeeze=False)[0]
    for axes, (name, points) in zip(panels, section.curves.items(), strict=True):
        axes.loglog(*zip(*points, strict=True), "o-")
        axes.set_xlabel(name)
        axes.set_ylabel("cycle [µs]")
        axes.grid(visible=True, which="both", alpha=0.3)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return [f'<img alt="{html.escape(section.name)}" src="data:image/png;base64,{data}">']
