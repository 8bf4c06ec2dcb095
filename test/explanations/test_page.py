"""docs/explain.md lists every kind of cause, once."""

import re

from robots_for_tests import REPOSITORY

from controlit_ros.explanations.explanation import CauseKind


def test_every_kind_is_listed():
    page = (REPOSITORY / "docs" / "explain.md").read_text(encoding="utf-8")
    table = page.partition("## Causes")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w ]+)` \|", table, re.MULTILINE) == [k.value for k in CauseKind]
