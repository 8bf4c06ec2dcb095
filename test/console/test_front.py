"""Front: what is added to the page, and the guards around every answer."""

import gzip
import re

import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from websockets.datastructures import Headers
from websockets.http11 import Response

from controlit_console import look
from controlit_console.front import SCRIPT, STYLE, Front
from controlit_console.panels.plot_panel import DARK_WORDS, LIGHT_WORDS

PAGE = b"<html><head><title>Viser</title></head><body></body></html>"


def answer(body, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(200, "OK", Headers(**named, Content_Length=str(len(body))), body)


@pytest.mark.parametrize("is_packed", [False, True])
def test_style_and_script_are_in_the_page(is_packed):
    body = gzip.compress(PAGE) if is_packed else PAGE
    packing = {"Content_Encoding": "gzip"} if is_packed else {}
    front = Front()
    for _ in range(2):
        found = front.furnish(answer(body, Content_Type="text/html; charset=utf-8", **packing))
        page = (gzip.decompress(found.body) if is_packed else found.body).decode()
        assert STYLE in page
        assert SCRIPT in page
        assert re.findall("<title>(.*?)</title>", page) == ["controlit"]
        assert found.headers["Content-Length"] == str(len(found.body))
        assert found.headers["X-Frame-Options"] == "DENY"


def test_other_answers_are_left_as_they_are_but_guarded():
    found = Front().furnish(answer(b"</head>", Content_Type="text/plain"))
    assert found.body == b"</head>"
    assert found.headers["X-Content-Type-Options"] == "nosniff"


def luminance(color):
    """Relative luminance by WCAG 2."""
    channels = [int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("color", sorted(set(look.STATE_COLORS.values())))
def test_words_on_colours_can_be_read(color):
    assert contrast("#ffffff", color) >= 4.5


@pytest.mark.parametrize("ground", ["#ffffff", "#1a1b1e", "#242424"])
def test_lines_stand_out_on_either_look(ground):
    assert contrast(look.LINE, ground) >= 3.0


def test_colours_of_the_style_can_be_read():
    filled = re.findall(r"-filled(?:-hover)?: (#\w{6})", STYLE)
    assert len(filled) == 6
    assert min(contrast("#ffffff", color) for color in filled) >= 4.5
    light, dark = re.findall(r"-dimmed: (#\w{6})", STYLE)
    assert contrast(light, "#ffffff") >= 4.5
    assert contrast(dark, "#242424") >= 4.5


def test_words_of_plots_can_be_read():
    assert contrast(LIGHT_WORDS, "#ffffff") >= 4.5
    assert contrast(DARK_WORDS, "#242424") >= 4.5
