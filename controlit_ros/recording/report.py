"""The report of a run: a table, pictures and the raw data in a folder."""

import json
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from markdown_it import MarkdownIt
from rich.table import Table
from rich.text import Text

from controlit_ros.recording.paper_figures import PaperFigures, Published
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.run_statistics import ErrorFigures, RunStatistics, missed_goals
from controlit_ros.regular_file import write_text

NO_MATPLOTLIB = "no plots: matplotlib is missing; `pip install 'controlit[report]'` adds it"

DEFINITION = """\
Error: distance (positions, in cm), angle (directions and orientations, in degrees), that of the
joint farthest off (postures, in rad) or difference (forces, in N) between the goal and the actual
value at the same time t, from the first goal to the last, motion included. The goal is the
client's own at t, or, where no client sent any, what the controller followed. The actual value is
what the controller computed from the measured joints and published; t is when it arrived at the
client, so the delay of the transport counts as error. The first goal is sent when the servo is
active and its soft start is over. The spread is one standard deviation over the samples. A goal
is missed when it rests for a second and the robot comes to rest elsewhere: out of its reach, or
held back. Missed goals are left out of the mean, unless the mean has a bound.
"""

NO_ERRORS = """\
No errors: of no task were both goal and actual value recorded.
"""

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }}
table {{ border-collapse: collapse }}
td, th {{ padding: 0.2em 0.8em; border-bottom: 1px solid #ddd }}
img {{ max-width: 100% }}
</style></head><body>
{body}</body></html>
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
    """Return the table of a run: each figure beside the paper's, where it has one."""
    published = statistics.published
    rows = [Row(name, _shown(value), "") for name, value in statistics.findings.items()]
    for name, figures in statistics.errors.items():
        paper = None if published is None else published.errors.get(name)
        rows += _error_rows(name, figures, paper)
    return [*rows, *_frequency_rows(statistics, published), *_latency_rows(statistics, published)]


def _error_rows(name: str, figures: ErrorFigures, paper: Published | None) -> list[Row]:
    unit = figures.unit
    rows = [
        Row(
            f"{name} error, mean ± std [{unit}]",
            f"{figures.mean:.2f} ± {figures.deviation:.2f}",
            _spread(paper, 2),
            _verdict(figures.mean, figures.bound, unit),
        )
    ]
    if figures.at_rest is not None:
        rows.append(Row(f"{name} error at rest [{unit}]", f"{figures.at_rest:.3f}", ""))
    if figures.missed:
        rows.append(Row(f"{name} goals missed", missed_goals(figures), ""))
    return rows


def _frequency_rows(statistics: RunStatistics, published: PaperFigures | None) -> list[Row]:
    frequency = statistics.frequency
    if frequency is None:
        return []
    rows = [
        Row(
            "servo frequency, mean ± std [Hz]",
            f"{frequency.mean:.1f} ± {frequency.deviation:.1f}",
            _spread(None if published is None else published.frequency, 1),
        ),
        Row(
            "servo frequency, lowest to highest [Hz]",
            f"{frequency.lowest:.0f} to {frequency.highest:.0f}",
            "" if published is None else "{:.0f} to {:.0f}".format(*published.frequency_range),
        ),
    ]
    idle = statistics.idle_frequency
    if idle is not None:
        rows += [
            Row("that of a servo without work", f"{idle.mean:.1f} ± {idle.deviation:.1f}", ""),
            Row("the same, lowest to highest", f"{idle.lowest:.0f} to {idle.highest:.0f}", ""),
        ]
    return rows


def _latency_rows(statistics: RunStatistics, published: PaperFigures | None) -> list[Row]:
    return [
        Row(
            f"{phase.replace('_', ' ')}, p50 / p99 [ms]",
            f"{latency.p50:.3f} / {latency.p99:.3f}",
            "" if published is None else f"{published.latency[phase]:g}",
        )
        for phase, latency in statistics.latency.items()
    ]


def _spread(published: Published | None, digits: int) -> str:
    if published is None:
        return ""
    return f"{published.mean:.{digits}f} ± {published.deviation:.{digits}f}"


def rich_table(statistics: RunStatistics, title: str) -> Table:
    """Return the table for a terminal."""
    table = Table(
        title=title if statistics.published is None else f"{title}: this run beside the paper",
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
    figures = asdict(statistics)
    del figures["published"]
    content = {
        "demo": record.name,
        "verdict": statistics.verdict,
        "created": record.created,
        "machine": _machine(),
        "duration": record.duration,
        "complete": record.complete,
        "goals": {"rounds": record.goals[0], "latest": record.goals[1]},
        **figures,
    }
    write_text(folder / "report.json", json.dumps(content, indent=2) + "\n")
    try:
        from controlit_ros.recording.plots import write_plots  # noqa: PLC0415 - optional
    except ImportError:
        plots: list[str] | None = None
    else:
        plots = write_plots(record, folder)
    shown = [*pictures, *(plots or ())]
    text = _markdown(record, statistics, shown)
    write_text(folder / "report.md", text)
    write_text(folder / "report.html", html_page(text, record.name))
    return NO_MATPLOTLIB if plots is None else None


def load_pictures() -> None:
    """Import what draws pictures, if it is there: a second that `write_report` then takes less."""
    with suppress(Exception):  # which `write_report` will tell of
        import_module("controlit_ros.recording.plots")


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
        + ("." if statistics.published is None else f". {statistics.published.remark}"),
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
    if statistics.excuse:
        lines += [f"Beside the controller, {statistics.excuse}.", ""]
    return "\n".join([*lines, statistics.verdict]) + "\n"


def html_page(text: str, title: str) -> str:
    """Return a page that shows a text in Markdown."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return PAGE.format(title=escape(title), body=body)


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
