"""The report of a comparison: tables, a picture of each scenario, and the data in a folder."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controlit_demos.comparison.comparison import Comparison
from controlit_ros.recording.report import NO_MATPLOTLIB, html_page
from controlit_ros.regular_file import opened_to_write, write_text

EXPLANATION = """\
Every controller goes through the same in simulated time, steered by the client library. The
verdict is about the first; ✗ marks what is beyond the bounds. Figures are of the simulated world,
looked at every 10 ms; errors of tasks are those that the controller measures.
"""


def write_comparisons(
    name: str, created: str, comparisons: Sequence[Comparison], folder: Path
) -> str | None:
    """Write the report into an existing folder.

    Returns:
        Why there are no pictures, `None` if there are.
    """
    write_text(folder / "report.json", json.dumps(_content(name, created, comparisons), indent=2))
    with opened_to_write(folder / "data.npz") as file:
        np.savez_compressed(file, **_arrays(comparisons))
    pictures: dict[str, str] = {}
    missing = None
    try:
        from controlit_demos.comparison.pictures import write_pictures  # noqa: PLC0415 - optional
    except ImportError:
        missing = NO_MATPLOTLIB
    else:
        pictures = write_pictures(comparisons, folder)
    text = "\n".join(_markdown(name, created, comparisons, pictures))
    write_text(folder / "report.md", text)
    write_text(folder / "report.html", html_page(text, name))
    return missing


def _content(name: str, created: str, comparisons: Sequence[Comparison]) -> dict[str, Any]:
    problems = [problem for comparison in comparisons for problem in comparison.problems]
    return {
        "demo": name,
        "verdict": "FAILED" if problems else "PASSED",
        "created": created,
        "problems": problems,
        "scenarios": [
            {
                "title": comparison.title,
                "criteria": [c._asdict() for c in comparison.criteria],
                "figures": {p.contender: dict(p.figures) for p in comparison.performances},
                "ends": {p.contender: p.end for p in comparison.performances},
            }
            for comparison in comparisons
        ],
    }


def _arrays(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    arrays = {}
    for comparison in comparisons:
        for performance in comparison.performances:
            for trace in performance.traces:
                key = f"{comparison.title}/{performance.contender}/{trace.label}"
                arrays[f"{key}/time"], arrays[f"{key}/value"] = trace.series.track()
    return arrays


def _markdown(
    name: str, created: str, comparisons: Sequence[Comparison], pictures: Mapping[str, str]
) -> Iterator[str]:
    yield from (f"# {name}, {created}", "", *EXPLANATION.splitlines())
    for comparison in comparisons:
        yield from ("", f"## {comparison.title}", "", _line(comparison.headings))
        yield _line("---:" if heading else "---" for heading in comparison.headings)
        yield from map(_line, comparison.rows())
        ends = [(p.contender, p.end) for p in comparison.performances if p.end]
        yield from (f"\n{contender} {end}" for contender, end in ends)
        if comparison.title in pictures:
            yield f"\n![{comparison.title}]({pictures[comparison.title]})"
    problems = [problem for comparison in comparisons for problem in comparison.problems]
    if problems:
        yield from ("", "## Failures", "", *(f"* {problem}" for problem in problems))
    yield from ("", "FAILED" if problems else "PASSED", "")


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"
