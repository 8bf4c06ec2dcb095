"""A picture of a state machine and of the way it went, as SVG; needs no other library."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

from controlit_demos.programs.state_program import FAILED, StateProgram
from controlit_ros.regular_file import write_text

Phases = Sequence[tuple[float, str]]
"""When each state was entered [s]."""

NAME = "states.svg"
PER_ROW = 4
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 150, 46, 40, 56, 20  # [px]
PASSED, RESTING, AHEAD, BROKEN = "#dcefe6", "#009E73", "#f2f2f2", "#D55E00"
"""Colours of states that were left, of the one the machine rests in, of others, of a failure."""

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"
 font-family="sans-serif" font-size="13" text-anchor="middle">
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">
<path d="M0,0 L7,3 L0,6 z" fill="#555"/></marker></defs>
<rect width="100%" height="100%" fill="white"/>
"""


def write_diagram(program: StateProgram, phases: Phases, folder: Path) -> list[str]:
    """Write the picture into a folder; return its file name.

    States stand in rows in their order, each with the time it was entered.
    """
    write_text(folder / NAME, diagram(program, phases))
    return [NAME]


def diagram(program: StateProgram, phases: Phases) -> str:
    """Return the picture as text."""
    states = [name for name in program.machine.states if name != FAILED]
    if program.state == FAILED:
        states.append(FAILED)
    entered = {name: time for time, name in phases}
    rows = (len(states) + PER_ROW - 1) // PER_ROW
    width = 2 * MARGIN + PER_ROW * WIDTH + (PER_ROW - 1) * GAP_X
    height = 2 * MARGIN + rows * HEIGHT + (rows - 1) * GAP_Y
    parts = [HEAD.format(width=width, height=height)]
    places = [_place(number) for number in range(len(states))]
    for (x, y), (next_x, next_y) in pairwise(places):
        if y == next_y:
            parts.append(_line(x + WIDTH, y + HEIGHT / 2, next_x - 2, y + HEIGHT / 2))
        else:
            half = y + HEIGHT + GAP_Y / 2
            points = (
                f"{x + WIDTH / 2},{y + HEIGHT} {x + WIDTH / 2},{half} "
                f"{next_x + WIDTH / 2},{half} {next_x + WIDTH / 2},{next_y - 2}"
            )
            parts.append(_arrow(points))
    for name, (x, y) in zip(states, places, strict=True):
        parts.append(_box(name, x, y, entered.get(name), program.state))
    return "".join([*parts, "</svg>\n"])


def _place(number: int) -> tuple[float, float]:
    row, column = divmod(number, PER_ROW)
    return MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)


def _box(name: str, x: float, y: float, entered: float | None, present: str) -> str:
    colour = AHEAD if entered is None else PASSED
    if name == present:
        colour = BROKEN if name == FAILED else RESTING
    when = "" if entered is None else f"{entered:.1f} s"
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{colour}" '
        f'stroke="#555"/>\n<text x="{x + WIDTH / 2}" y="{y + 20}">{escape(name)}</text>\n'
        f'<text x="{x + WIDTH / 2}" y="{y + 37}" font-size="11" fill="#333">{when}</text>\n'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return _arrow(f"{x1},{y1} {x2},{y2}")


def _arrow(points: str) -> str:
    return f'<polyline points="{points}" fill="none" stroke="#555" marker-end="url(#tip)"/>\n'
