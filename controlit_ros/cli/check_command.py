"""Check configuration files and print every problem."""

import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from controlit_ros.cli import output
from controlit_ros.cli.loading import loading
from controlit_ros.cli.options import JsonOption, configuration_file
from controlit_ros.configuration import Configuration, ConfigurationError, KeyPath
from controlit_ros.errors import ControlItError, told
from controlit_ros.nodes.assembly import assemble
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.controller_stack import ALTERNATIVES, SINGLE
from controlit_ros.nodes.tried_parts import RehearsalError
from controlit_ros.nodes.warm_up import warm_up
from controlit_ros.servo.failing_part import code_place

RED, YELLOW, GREEN, BOLD, RESET = "\033[31m", "\033[33m", "\033[32m", "\033[1m", "\033[0m"


class Finding(NamedTuple):
    """Something about a file: an error or a warning."""

    file: str
    line: int
    column: int
    path: str
    message: str
    severity: str

    def place_and_text(self) -> str:
        """`line:column: path: message`, as compilers write it."""
        subject = f"{self.path}: " if self.path else ""
        return f"{self.line}:{self.column}: {subject}{self.message}"


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Configuration files: paths or package://.",
            show_default=False,
            parser=configuration_file,
        ),
    ],
    *,
    as_json: JsonOption = False,
) -> None:
    """Check configuration files and print every problem."""
    show = _print_grouped if sys.stdout.isatty() else _print_plain
    findings: list[Finding] = []
    for path in files:
        # what a third party prints is no result
        with loading(path), redirect_stdout(sys.stderr):
            group = _examine(path)
        findings += group
        if not as_json:
            show(str(path), group)
    is_ok = all(finding.severity != "error" for finding in findings)
    if as_json:
        output.json_value(
            {
                "ok": is_ok,
                "files": list(dict.fromkeys(map(str, files))),
                "problems": [finding._asdict() for finding in findings],
            }
        )
    if not is_ok:
        raise typer.Exit(1)


def _examine(path: Path) -> list[Finding]:
    """Build what a file describes, and compute once what it computes when it starts."""
    source = str(path)
    try:
        stack = load_stack(path)
        assemble(stack)
        warm_up(stack)
        return [_warning(source, text) for text in stack.warnings]
    except ConfigurationError as error:
        return [Finding(error.source, *problem, "error") for problem in error.problems]
    except RehearsalError as error:
        collector = stack.configuration.collector()
        collector.add(_place(stack.configuration, error), str(error))
        return [Finding(source, *problem, "error") for problem in collector.problems]
    except ControlItError as error:
        return [Finding(source, 1, 1, "", str(error), "error")]
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 - a file may never break the tool that checks it
        text = f"cannot be built: {told(error)}{code_place(error)}"
        return [Finding(source, 1, 1, "", text, "error")]


def _place(configuration: Configuration, error: RehearsalError) -> KeyPath:
    """Return the entry of the part that failed; the whole file, if it has none."""
    for number, entry in enumerate(getattr(configuration, error.section, ())):
        if entry.name == error.part:
            return error.section, number
    return (SINGLE,) if error.section == ALTERNATIVES else ()


def _warning(source: str, text: str) -> Finding:
    """Return a warning of the loader, which has its place in front."""
    match = re.fullmatch(r"(\d+):(\d+): (?:([\w.\[\]]+): )?(.*)", text, re.DOTALL)
    if match is None:
        return Finding(source, 1, 1, "", text, "warning")
    line, column, path, message = match.groups()
    return Finding(source, int(line), int(column), path or "", message, "warning")


def _print_plain(source: str, group: list[Finding]) -> None:
    for finding in group:
        mark = "warning: " if finding.severity == "warning" else ""
        place, text = _one_line(finding)
        output.text(f"{finding.file}:{place}: {mark}{text}")
    if not group:
        output.text(f"{source}: ok")


def _print_grouped(source: str, group: list[Finding]) -> None:
    if not group:
        output.text(f"{GREEN}{BOLD}{source}{RESET}: ok")
        return
    output.text(f"{BOLD}{source}{RESET}")
    for finding in group:
        colour = RED if finding.severity == "error" else YELLOW
        place, text = _one_line(finding)
        output.text(f"  {colour}{finding.file}:{place}{RESET}: {text}")


def _one_line(finding: Finding) -> tuple[str, str]:
    text = " ".join(finding.place_and_text().split())
    line, column, rest = text.split(":", 2)
    return f"{line}:{column}", rest.strip()
