"""Tables, their JSON and their page."""

import sys

import pytest

from controlit_bench.machine import describe_machine
from controlit_bench.measured_page import write_measured_page
from controlit_bench.page import render_page
from controlit_bench.scaling import fitted_exponent
from controlit_bench.section import Section

SECTION = Section(
    name="some",
    title="Some <numbers>",
    columns=("what", "time [µs]"),
    rows=(("a", 1.23456), ("b", None), ("c", 12345.6)),
    remarks=("honest & short",),
    curves={"joints": [(1.0, 2.0), (2.0, 8.0)]},
)


def test_cells_are_short():
    assert SECTION.cells() == [("a", "1.23"), ("b", "-"), ("c", "12346")]


def test_plain_values_have_the_columns_as_keys():
    value = SECTION.as_dict()
    assert value["rows"][1] == {"what": "b", "time [µs]": None}
    assert set(value) == {"title", "rows", "remarks"}


def test_a_row_must_fit_the_columns():
    with pytest.raises(ValueError, match="found a row of 1 values, expected 2"):
        Section("x", "x", ("a", "b"), (("only",),))


TABLE = """
## Some <numbers>

| what | time [µs] |
|---|---|
| a | 1.23 |
| b | - |
| c | 12346 |

honest & short
"""


def test_markdown_has_heading_table_and_remarks():
    assert SECTION.markdown() == TABLE


@pytest.mark.parametrize("quick", [False, True])
def test_a_measured_page_is_written_or_only_printed(quick, monkeypatch, capsys, tmp_path):
    asked, page = [], tmp_path / "page.md"

    def measure(is_quick):
        asked.append(is_quick)
        return [SECTION, SECTION]

    monkeypatch.setattr(sys, "argv", ["page.py", *["--quick"] * quick])
    assert write_measured_page(page, "# Page\n", measure) == 0
    assert asked == [quick]
    text = "# Page\n" + 2 * TABLE
    assert capsys.readouterr().out == (text if quick else "")
    assert page.exists() is not quick
    assert quick or page.read_text(encoding="utf-8") == text


def test_the_page_stands_alone_and_escapes():
    page = render_page(describe_machine(), [SECTION])
    assert "Some &lt;numbers&gt;" in page
    assert "honest &amp; short" in page
    assert "http" not in page


def test_the_stamp_tells_processor_and_versions():
    machine = describe_machine()
    assert machine.processor
    assert machine.cores >= 1
    assert "numpy" in machine.versions
    assert machine.date in str(machine)


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
def test_the_exponent_of_a_power_law_is_found(power):
    assert fitted_exponent([(x, 7.0 * x**power) for x in (1.0, 2.0, 5.0, 9.0)]) == pytest.approx(
        power
    )
