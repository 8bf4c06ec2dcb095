"""What takes part in a quadratic program has its page, its file and its row among the features."""

import configparser
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "controlit.inequalities": "inequalities.md",
    "controlit.prioritisations": "controllers.md",
    "controlit.qp_solvers": "controllers.md",
}
DEFAULTS = {"Weighted", "DAQP"}
"""What a file has that chooses WholeBodyQP and nothing more."""


def plugins():
    """Return group and name of each that comes with the project."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    entries = parser["options.entry_points"]
    return [
        (group, line.split("=")[0].strip())
        for group in PAGES
        for line in entries[group].strip().splitlines()
    ]


def test_all_are_looked_at():
    assert {"EffortRate", "Hierarchical", "qpOASES"} < {name for _, name in plugins()}


@pytest.mark.parametrize(("group", "name"), plugins())
def test_has_its_page_its_file_and_its_row(group, name):
    assert f"`{name}`" in (ROOT / "docs" / PAGES[group]).read_text(encoding="utf-8")
    assert f"`{name}`" in (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "config").rglob("*.yaml")]
    wanted = "WholeBodyQP" if name in DEFAULTS else name
    assert any(re.search(rf"type: .*\b{wanted}\b", text) for text in files)
