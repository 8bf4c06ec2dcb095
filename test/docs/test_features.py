"""The table of features names only files and tests that exist, and leaves no part out."""

import re
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from controlit_ros.configuration import Configuration, ControllerParameters

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "features.md"
MISSING = "**missing**"
GUESTS = ("controlit.commands", "controlit.demonstrations")  # docs/cli.md lists them
QUOTED = re.compile(r"`([^`]+)`")


class Row(NamedTuple):
    """A row of a table."""

    number: int
    feature: str
    files: str
    tests: str


def not_yet_there():
    """Return the words by which features would be found that are said to be missing."""
    section = PAGE.read_text(encoding="utf-8").partition("## Not yet there")[2]
    return [word for line in section.splitlines() for word in re.findall(r"\(`(\w+)`\)", line)]


def rows():
    """Return every row of the page's tables, without their heads."""
    found = []
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[1] not in ("files", "---"):
            assert len(cells) == 3, f"line {number}: found {len(cells)} cells, expected 3"
            found.append(Row(number, *cells))
    return found


ROWS = rows()


@cache
def names_of(path):
    """Return the names of the tests in a file."""
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"^ *def (test_\w+)\(", text, re.MULTILINE))


def is_there(name, below):
    return (ROOT / below / name).is_file() or (ROOT / name).is_file()


def check_test(name):
    file, _, function = name.partition("::")
    path = ROOT / "test" / file
    assert path.is_file(), f"{name}: there is no such file"
    assert function in names_of(path), f"{name}: there is no such test"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"line {row.number}")
def test_files_and_tests_exist(row):
    files = QUOTED.findall(row.files)
    for file in files:
        assert is_there(file, "controlit_ros"), f"{file}: there is no such file"
    assert bool(files) != (MISSING in row.files)
    tests = [] if MISSING in row.tests else QUOTED.findall(row.tests)
    for test in tests:
        check_test(test)
    assert bool(tests) != (MISSING in row.tests)


def test_no_feature_has_two_rows():
    named = [row.feature.removeprefix("ours: ") for row in ROWS]
    assert [name for name in named if named.count(name) > 1] == []


@cache
def sources():
    """Return all text of the sources and configurations, by path."""
    folders = ("controlit_ros", "controlit_demos", "controlit_bench", "controlit_console")
    return {
        path: path.read_text(encoding="utf-8").lower()
        for folder in (*folders, "config", "msg", "srv", "action", "examples")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".yaml", ".msg", ".srv", ".action")
    }


@pytest.mark.parametrize("word", not_yet_there())
def test_what_is_said_to_be_missing_is_in_no_source(word):
    found = [path for path, text in sources().items() if word in text]
    assert not found, f"{word}: there now, so the page must name it with its test"


def test_the_list_of_missing_features_is_read():
    assert len(not_yet_there()) > 20
    assert any("latency" in text for text in sources().values())


def test_tests_beside_the_tables_exist():
    text = PAGE.read_text(encoding="utf-8")
    named = [name for name in QUOTED.findall(text) if "::" in name]
    assert len(named) > 100
    for name in named:
        check_test(name)


def test_a_missing_test_is_noticed():
    with pytest.raises(AssertionError, match="no such test"):
        check_test("docs/test_features.py::test_of_nothing")
    with pytest.raises(AssertionError, match="no such file"):
        check_test("docs/nothing.py::test_of_nothing")


def plugins():
    """Return the name of each plugin of ours."""
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    groups = config["options.entry_points"]
    return [
        line.partition("=")[0].strip()
        for group, lines in groups.items()
        if group.startswith("controlit.") and group not in GUESTS
        for line in lines.strip().splitlines()
    ]


def lists():
    """Return the sections of a configuration that hold lists."""
    return [name for name, field in Configuration.model_fields.items() if field.default == ()]


@pytest.mark.parametrize("name", [*plugins(), *ControllerParameters.model_fields, *lists()])
def test_every_plugin_parameter_and_section_has_a_row(name):
    assert any(f"`{name}`" in row.feature for row in ROWS)


@pytest.mark.parametrize("path", sorted((ROOT / "srv").glob("*.srv")), ids=lambda path: path.stem)
def test_every_service_has_a_row(path):
    name = path.stem[0].lower() + path.stem[1:]
    assert any(f"`{name}`" in row.feature or path.name in row.files for row in ROWS)
