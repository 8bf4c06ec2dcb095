"""The report of a run: a table, pictures and the raw data in a folder."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table
from rich.text import Text

from controlit_ros.applications.paper_figures import (
    HAND_ERRORS,
    LATENCY,
    SERVO_FREQUENCY,
    SERVO_FREQUENCY_RANGE,
)
from controlit_ros.applications.run_record import RunRecord
from controlit_ros.applications.run_statistics import RunStatistics

NO_MATPLOTLIB = "no plots: matplotlib is missing; `pip install 'controlit[report]'` adds it"

DEFINITION = """\
Error: distance (positions, in cm) or angle (orientations, in degrees) between the goal and the
actual value at the same time t, from the first goal to the last, motion included. The goal is the
client's own at t, not the last goal that reached the controller. The actual value is
what the controller computed from the measured joints and published; t is when it arrived at the
client, so the delay of the transport counts as error. The first goal is sent when the servo is
active and its soft start is over. The spread is one standard deviation over the samples.
"""


NO_ERRORS = """\
No errors: of no task were both goal and actual value recorded, as points, vectors or quaternions.
"""

HEADINGS = ("", "here", "paper", "")
KEPT = 2  # [columns] that stand even where there is nothing to tell


class Row(NamedTuple):
    """One line of the table."""

    quantity: str
    here: str
    paper: str
    verdict: str = ""


def table_rows(statistics: RunStatistics) -> list[Row]:
    """Return the table of a run: each figure beside the paper's."""
    rows = [Row(name, _shown(value), "") for name, value in statistics.findings.items()]
    for name, figures in statistics.errors.items():
        unit, paper = figures.unit, HAND_ERRORS.get(name)
        rows.append(
            Row(
                f"{name} error, mean ± std [{unit}]",
                f"{figures.mean:.2f} ± {figures.deviation:.2f}",
                "" if paper is None else f"{paper.mean:.2f} ± {paper.deviation:.2f}",
                _verdict(figures.mean, figures.bound, unit),
            )
        )
        if figures.at_rest is not None:
            rows.append(Row(f"{name} error at rest [{unit}]", f"{figures.at_rest:.3f}", ""))
    frequency = statistics.frequency
    if frequency is not None:
        lowest, highest = SERVO_FREQUENCY_RANGE
        rows += [
            Row(
                "servo frequency, mean ± std [Hz]",
                f"{frequency.mean:.1f} ± {frequency.deviation:.1f}",
                f"{SERVO_FREQUENCY.mean:.1f} ± {SERVO_FREQUENCY.deviation:.1f}",
            ),
            Row(
                "servo frequency, lowest to highest [Hz]",
                f"{frequency.lowest:.0f} to {frequency.highest:.0f}",
                f"{lowest:.0f} to {highest:.0f}",
            ),
        ]
    for phase, latency in statistics.latency.items():
        rows.append(
            Row(
                f"{phase.replace('_', ' ')}, p50 / p99 [ms]",
                f"{latency.p50:.3f} / {latency.p99:.3f}",
                f"{LATENCY[phase]:g}",
            )
        )
    return rows


def rich_table(statistics: RunStatistics, title: str) -> Table:
    """Return the table for a terminal."""
    table = Table(
        title=f"{title}: this run beside the paper",
        title_justify="left",
        caption=None if statistics.errors else Text(NO_ERRORS.strip()),
        caption_justify="left",
    )
    headings, rows = _filled_columns(table_rows(statistics))
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        table.add_row(*map(Text, row))  # text, not markup: units stand in brackets
    return table


def _filled_columns(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells without the columns that have nothing to tell."""
    filled = [i for i in range(len(HEADINGS)) if i < KEPT or any(row[i] for row in rows)]
    return [HEADINGS[i] for i in filled], [[row[i] for i in filled] for row in rows]


def write_report(
    record: RunRecord, statistics: RunStatistics, folder: Path, pictures: Sequence[str] = ()
) -> str | None:
    """Write table, pictures and data of a run into an existing folder.

    Args:
        record: The run.
        statistics: Its figures.
        folder: Where to.
        pictures: Files that stand there already and are shown, too.

    Returns:
        Why there are no pictures, `None` if there are.
    """
    record.save(folder / "data.npz")
    content = {
        "demo": record.name,
        "created": record.created,
        "machine": _machine(),
        "duration": record.duration,
        "complete": record.complete,
        **asdict(statistics),
    }
    (folder / "report.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    try:
        from controlit_ros.applications.plots import write_plots  # noqa: PLC0415 - optional
    except ImportError:
        plots: list[str] | None = None
    else:
        plots = write_plots(record, folder)
    shown = [*pictures, *(plots or ())]
    text = _markdown(record, statistics, shown)
    (folder / "report.md").write_text(text, encoding="utf-8")
    (folder / "report.html").write_text(_html(record, statistics, shown), encoding="utf-8")
    return NO_MATPLOTLIB if plots is None else None


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _verdict(mean: float, bound: float | None, unit: str) -> str:
    if bound is None:
        return ""
    return f"{'within' if mean <= bound else 'ABOVE'} {bound:.2f} {unit}"


def _machine() -> str:
    return f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def _markdown(record: RunRecord, statistics: RunStatistics, pictures: list[str]) -> str:
    headings, rows = _filled_columns(table_rows(statistics))
    lines = [
        f"# {record.name}, {record.created}",
        "",
        f"{record.duration:.1f} s of goals"
        + ("" if record.complete else ", ended before the plan did")
        + f"; {_machine()}.",
        "",
        f"| {' | '.join(headings)} |",
        f"|{'|'.join('---:' if heading else '---' for heading in headings)}|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        *_definition(statistics).splitlines(),
        "",
        f"Servo figures: {statistics.cycles} "
        + ("cycles, every one after the warm-up" if statistics.every_cycle else "sampled cycles")
        + ". The paper gives means, for two levels with 2D orientations, multi-threaded, C++ on an "
        "i7-4771; its errors are of the hardware, ours of the simulation.",
        "",
        _goals(record),
        "",
        f"Model the commands were computed from: {_age(record)}.",
        "",
        _limits("velocity", statistics.speeding),
        _limits("effort", statistics.straining),
        "",
    ]
    if record.notices:
        lines += ["## Complaints of the controller", ""]
        lines += [f"* {time:.2f} s, {level}: {text}" for time, level, text in record.notices]
        lines.append("")
    if statistics.problems:
        lines += ["## Failures", "", *(f"* {problem}" for problem in statistics.problems), ""]
    lines += [f"![{Path(name).stem.replace('_', ' ')}]({name})\n" for name in pictures]
    return "\n".join(lines).rstrip() + "\n"


def _html(record: RunRecord, statistics: RunStatistics, pictures: list[str]) -> str:
    headings, cells = _filled_columns(table_rows(statistics))
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    rows = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells
    )
    images = "\n".join(
        f'<p><img src="{escape(name)}" alt="{escape(Path(name).stem.replace("_", " "))}"></p>'
        for name in pictures
    )
    problems = "\n".join(f"<li>{escape(problem)}</li>" for problem in statistics.problems)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>{escape(record.name)}</title>
<style>
body {{ font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }}
td, th {{ padding: 0.2em 0.8em; border-bottom: 1px solid #ddd; text-align: left }}
img {{ max-width: 100% }}
</style></head><body>
<h1>{escape(record.name)}, {escape(record.created)}</h1>
<p>{record.duration:.1f} s; {escape(_machine())}.</p>
<table><tr>{head}</tr>
{rows}
</table>
<p>{escape(_definition(statistics))}</p>
{f"<h2>Failures</h2><ul>{problems}</ul>" if problems else ""}
{images}
</body></html>
"""


def _definition(statistics: RunStatistics) -> str:
    return DEFINITION if statistics.errors else NO_ERRORS


def _goals(record: RunRecord) -> str:
    rounds, latest = record.goals
    return f"Goals: {rounds} rounds, at most {1e3 * latest:.1f} ms late." if rounds else "No goals."


def _age(record: RunRecord) -> str:
    ages = record.model_latency.values.reshape(-1)
    if not len(ages):
        return "age unknown"
    p50, p99 = 1e3 * np.percentile(ages, (50.0, 99.0))
    return f"p50 {p50:.2f} ms, p99 {p99:.2f} ms old"


def _limits(quantity: str, joints: dict[str, float]) -> str:
    if not joints:
        return f"No joint exceeded the {quantity} limit of the robot description."
    listed = ", ".join(f"{joint} ({100 * ratio:.0f} %)" for joint, ratio in joints.items())
    return f"Above the {quantity} limit of the robot description, at most: {listed}."
