"""Look: pieces of the page as HTML, in one type scale, for light and dark alike."""

import math
from collections.abc import Iterable, Sequence
from html import escape

SMALL, TEXT, TITLE = 12, 13, 16  # [px] the whole type scale
GOOD, WARN, BAD, CALM, IDLE = "#237032", "#9c4a00", "#c92a2a", "#1864ab", "#5c636a"
"""Under white words: contrasts of at least 4.5 to 1."""
LINE = "#228be6"
"""Of plots and bars: at least 3 to 1 on either look."""
STATE_COLORS = {
    "active": GOOD,
    "enable": GOOD,
    "sense": CALM,
    "arriving": CALM,
    "leaving": CALM,
    "waiting": CALM,
    "under way": CALM,
    "confirmed": GOOD,
    "refused": BAD,
    "inactive": IDLE,
    "disable": IDLE,
    "safe": WARN,
    "stuck": BAD,
    "dead": BAD,
    "lost": BAD,
    "error": BAD,
    "warning": WARN,
    "event": CALM,
    "ok": GOOD,
    "stale": WARN,
    "sensed": GOOD,
    "expected": IDLE,
    "recording": BAD,
    "recorded": GOOD,
    "page": IDLE,
}
FRAME = "font-size:{size}px;line-height:1.45;padding:0 0.75em 0.6em 0.75em;{more}"
SPARK = (96, 20)  # [px] width and height of a small plot
MARK = 5  # [px] width of what shows a place in a range
NEGLIGIBLE = 1e-6  # [SI] what is smaller is shown as nothing


def block(content: str, size: int = TEXT, more: str = "") -> str:
    """Return a block of text in the page's margins."""
    style = FRAME.format(size=size, more=more)
    return f'<div style="{style}">{content}</div>'


def chip(word: str) -> str:
    """Return a word in the colour of what it means."""
    color = STATE_COLORS.get(word, IDLE)
    return (
        f'<span style="background:{color};color:#fff;border-radius:4px;padding:1px 6px;'
        f'font-size:{SMALL}px;white-space:nowrap">{escape(word)}</span>'
    )


def quiet(text: str) -> str:
    """Return a text of less weight."""
    return f'<span style="opacity:0.65">{escape(text)}</span>'


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[str]) -> str:
    """Return a table; cells are HTML already, headings are not.

    Args:
        headings: One a column.
        rows: Cells.
        widths: Of the columns, so that nothing moves when numbers change.
    """
    columns = "".join(f'<col style="width:{width}">' for width in widths)
    head = "".join(
        f'<th style="text-align:left;font-weight:500;opacity:0.65;font-size:{SMALL}px">'
        f"{escape(heading)}</th>"
        for heading in headings
    )
    fits = "height:24px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"
    cell = f"{fits};padding:2px 4px 2px 0"
    body = "".join(
        "<tr>" + "".join(f'<td style="{cell}">{entry}</td>' for entry in row) + "</tr>"
        for row in rows
    )
    return (
        '<table style="width:100%;table-layout:fixed;border-collapse:collapse;'
        f'font-variant-numeric:tabular-nums"><colgroup>{columns}</colgroup>'
        f"<tr>{head}</tr>{body}</table>"
    )


def bar(share: float, text: str, *, is_centred: bool = False) -> str:
    """Return a bar below a text.

    Args:
        share: How full, 0 to 1; where it is centred -1 to 1.
        text: Plain text.
        is_centred: Whether zero is in the middle.
    """
    bounded = min(1.0, abs(share))
    color = BAD if bounded > 0.95 else WARN if bounded > 0.8 else LINE
    width = bounded * (50.0 if is_centred else 100.0)
    left = 50.0 - width * (share < 0.0) if is_centred else 0.0
    return _over_track(text, f"left:{left:.1f}%;width:{width:.1f}%;background:{color}")


def place_in_range(value: float, lower: float, upper: float, text: str) -> str:
    """Return a mark that shows where a value is between two limits, red near them."""
    share = min(1.0, max(0.0, (value - lower) / (upper - lower)))
    color = BAD if min(share, 1.0 - share) < 0.03 else LINE
    left = f"calc({100.0 * share:.1f}% - {MARK * share:.1f}px)"
    return _over_track(text, f"left:{left};width:{MARK}px;background:{color}")


def _over_track(text: str, shape: str) -> str:
    """Return a text over a thin track with something on it, so that neither covers the other."""
    return (
        f'<div style="font-size:{SMALL}px;line-height:15px;padding-right:2px">{escape(text)}</div>'
        '<div style="position:relative;height:4px;border-radius:2px;overflow:hidden;'
        'background:rgba(128,128,128,0.25)">'
        f'<div style="position:absolute;height:100%;border-radius:2px;{shape}"></div></div>'
    )


def rounded(value: float, digits: int) -> str:
    """Return a number with so many digits behind the point, and no minus before a zero."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def plain(value: float) -> str:
    """Return a number as an eye takes it in; what is next to nothing is 0."""
    return "0" if abs(value) < NEGLIGIBLE else f"{value:.2g}"


def spark(values: Sequence[float]) -> str:
    """Return a small plot of numbers that are not negative, from zero up to the largest.

    Those that are no numbers are drawn as zero.
    """
    width, height = SPARK
    values = [value if math.isfinite(value) else 0.0 for value in values]
    highest = max(*values, 2.0 * NEGLIGIBLE)
    step = width / max(1, len(values) - 1)
    points = " ".join(
        f"{i * step:.1f},{height - 1 - (height - 2) * value / highest:.1f}"
        for i, value in enumerate(values)
    )
    return (
        f'<svg width="100%" height="{height}" viewBox="0 0 {width} {height}" '
        f'preserveAspectRatio="none" style="display:block"><polyline points="{points}" '
        f'fill="none" stroke="{LINE}" '
        'stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>'
    )
