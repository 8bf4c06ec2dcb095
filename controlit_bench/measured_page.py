"""A page of docs/ that is measured."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from controlit_bench.section import Section


def write_measured_page(
    page: Path, introduction: str, measure: Callable[[bool], Iterable[Section]]
) -> int:
    """Measure and write a page, or only print it if `--quick` is among the arguments; return 0.

    Args:
        page: The file.
        introduction: What stands before the tables.
        measure: Returns the tables; told whether few robots will do.
    """
    is_quick = "--quick" in sys.argv[1:]
    text = introduction + "".join(section.markdown() for section in measure(is_quick))
    if is_quick:
        sys.stdout.write(text)
    else:
        page.write_text(text, encoding="utf-8")
    return 0
