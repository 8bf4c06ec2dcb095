"""What a command shows while it loads a file, which takes a minute where kernels are compiled."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.kernels.compile import told_of_compilation


@contextmanager
def loading(file: Path) -> Iterator[None]:
    """Show on the standard error which file is loaded, and what that takes."""
    lines = StatusLines(sys.stderr)
    with (
        StartProgress(lines, f"loading {file}", is_quiet=False) as progress,
        told_of_compilation(progress.tell),
    ):
        yield
