"""A picture of modes and of the ways between them, as SVG or in the language of Graphviz."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

LETTER, ROW = 7, 15  # [px] width and height that a letter takes
LONG = 10  # [letters] of a name beyond which it is broken behind underscores
PADDING, GAP, MARGIN = 6, 6, 4  # [px] around a name, between boxes, around the picture
LEAST_RADIUS = 110  # [px] so that arrows have room
BEND = 0.12  # [-] of the distance, so that ways there and back are two
PRESENT, ENTERED, OTHER, LINE = "#8fd6bd", "#f3dc9a", "#f2f2f2", "#555"
"""Colours of the mode that is, of the one that is being entered, of others, and of arrows."""

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{size:.0f}" height="{size:.0f}"
 viewBox="0 0 {size:.0f} {size:.0f}" font-family="sans-serif" font-size="13" text-anchor="middle">
<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">
<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>
<rect width="100%" height="100%" fill="white"/>
"""


class Box(NamedTuple):
    """What a name stands in [px]."""

    width: float
    height: float


class ModeWay(NamedTuple):
    """A transition, as pictures and people see it.

    Attributes:
        source: Mode that it leaves.
        target: Mode that it enters.
        condition: What must be so; empty: nothing.
        automatic: Whether it is taken by itself.
        through: Mode that a request goes through; empty: none.
    """

    source: str
    target: str
    condition: str = ""
    automatic: bool = False
    through: str = ""


def mode_picture(
    names: Sequence[str], ways: Sequence[ModeWay], confirmed: str = "", entered: str = ""
) -> str:
    """Return a picture as SVG: modes on a circle, arrows between them, the present one coloured.

    It is as small as the names let it be, so that a panel or a phone shows it in a size to read.
    Ways by themselves are dashed; what a way needs stands beside it when a pointer rests on it. A
    way through another mode is not drawn: it is those of its steps.

    Args:
        names: Of the modes, clockwise from the top.
        ways: Between them.
        confirmed: The mode that is; empty: none.
        entered: The mode that is being entered; empty: none.
    """
    lines = {name: _lines(name) for name in names}
    box = _box(lines.values())
    radius = _radius(len(names), box)
    middle = radius + max(box) / 2 + MARGIN
    places = {name: _place(i, len(names), radius, middle) for i, name in enumerate(names)}
    parts = [HEAD.format(size=2 * middle)]
    parts += [_arrow(way, places, box) for way in ways if not way.through]
    parts += [
        _boxed(lines[name], *places[name], box, _colour(name, confirmed, entered)) for name in names
    ]
    return "".join([*parts, "</svg>\n"])


def mode_dot(
    names: Sequence[str], ways: Sequence[ModeWay], confirmed: str = "", entered: str = ""
) -> str:
    """Return the same for Graphviz: `dot -Tpng`."""
    lines = ["digraph modes {", '  node [shape=box, style="rounded,filled"];']
    lines += [f'  "{n}" [fillcolor="{_colour(n, confirmed, entered)}"];' for n in names]
    for way in ways:
        if not way.through:
            style = "dashed" if way.automatic else "solid"
            label = way.condition.replace('"', "'")
            lines.append(f'  "{way.source}" -> "{way.target}" [style={style}, label="{label}"];')
    return "\n".join([*lines, "}\n"])


def _colour(name: str, confirmed: str, entered: str) -> str:
    if name == confirmed:
        return PRESENT
    return ENTERED if name == entered else OTHER


def _place(number: int, count: int, radius: float, middle: float) -> tuple[float, float]:
    angle = 2.0 * math.pi * number / max(count, 1)
    return middle + radius * math.sin(angle), middle - radius * math.cos(angle)


def _lines(name: str) -> list[str]:
    """Return a name, broken behind underscores where it is long."""
    lines = [""]
    for part in name.replace("_", "_\n").splitlines():
        if not lines[-1] or len(lines[-1]) + len(part) <= LONG:
            lines[-1] += part
        else:
            lines.append(part)
    return lines


def _box(names: Iterable[Sequence[str]]) -> Box:
    """Return what each name, in lines, finds room in."""
    named = list(names)
    letters = max((len(line) for lines in named for line in lines), default=0)
    rows = max((len(lines) for lines in named), default=0)
    return Box(letters * LETTER + 2 * PADDING, rows * ROW + 2 * PADDING)


def _radius(count: int, box: Box) -> float:
    """Return how far from the middle boxes beside each other do not touch [px]."""
    radius = float(LEAST_RADIUS)
    for number in range(1, count):
        (x1, y1), (x2, y2) = (_place(n, count, 1.0, 0.0) for n in (number - 1, number))
        across, along = abs(x2 - x1), abs(y2 - y1)
        apart = (box.width + GAP) / across if across else math.inf
        above = (box.height + GAP) / along if along else math.inf
        radius = max(radius, min(apart, above))
    return radius


def _boxed(lines: Sequence[str], x: float, y: float, box: Box, colour: str) -> str:
    first = y - ROW * (len(lines) - 1) / 2 + 5
    rows = "".join(
        f'<tspan x="{x:.1f}" y="{first + ROW * i:.1f}">{escape(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    return (
        f'<rect x="{x - box.width / 2:.1f}" y="{y - box.height / 2:.1f}" width="{box.width}" '
        f'height="{box.height}" rx="9" fill="{colour}" stroke="{LINE}"/>\n'
        f"<text>{rows}</text>\n"
    )


def _arrow(way: ModeWay, places: Mapping[str, tuple[float, float]], box: Box) -> str:
    (x1, y1), (x2, y2) = places[way.source], places[way.target]
    dx, dy = x2 - x1, y2 - y1
    bend_x, bend_y = (x1 + x2) / 2 - BEND * dy, (y1 + y2) / 2 + BEND * dx
    x1, y1 = _edge(x1, y1, bend_x, bend_y, box)
    x2, y2 = _edge(x2, y2, bend_x, bend_y, box)
    dashes = ' stroke-dasharray="6 4"' if way.automatic else ""
    text = f"{way.source} to {way.target}" + (f": {way.condition}" if way.condition else "")
    return (
        f'<path d="M{x1:.1f},{y1:.1f} Q{bend_x:.1f},{bend_y:.1f} {x2:.1f},{y2:.1f}" fill="none" '
        f'stroke="{LINE}" marker-end="url(#tip)"{dashes}><title>{escape(text)}</title></path>\n'
    )


def _edge(x: float, y: float, to_x: float, to_y: float, box: Box) -> tuple[float, float]:
    """Return where the line from the middle of a box leaves it."""
    dx, dy = to_x - x, to_y - y
    part = min(
        box.width / 2 / abs(dx) if dx else math.inf, box.height / 2 / abs(dy) if dy else math.inf
    )
    return (x + part * dx, y + part * dy) if math.isfinite(part) else (x, y)
