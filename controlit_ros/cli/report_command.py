"""Print and draw what a controller did while a bag was recorded."""

from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.errors import ControlItError
from controlit_ros.recording.bag_run import read_run
from controlit_ros.recording.report import rich_table, write_report
from controlit_ros.recording.run_statistics import run_statistics


def command(
    bag: Annotated[
        Path, typer.Argument(metavar="BAG", help="Folder of a bag.", show_default=False)
    ],
    *,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Where the report goes. [default: <bag>-report]",
            show_default=False,
        ),
    ] = None,
    controller: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which controller of several.", show_default=False),
    ] = None,
) -> None:
    """Print and draw what a controller did while a bag was recorded."""
    record = read_run(bag, controller)
    statistics = run_statistics(record)
    target = folder or bag.with_name(f"{bag.name}-report")
    try:
        target.mkdir(parents=True, exist_ok=True)
        missing = write_report(record, statistics, target)
    except OSError as error:
        raise ControlItError(f"{target} cannot be written: {error.strerror}") from None
    output.rendered(rich_table(statistics, record.name))
    if missing is not None:
        output.rendered(missing)
    output.rendered(f"report: {target / 'report.html'}")
    output.rendered(statistics.verdict)
    if statistics.problems:
        raise typer.Exit(1)
