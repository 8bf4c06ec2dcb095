"""Packages of others, installed for one Python process by their own means."""

import os
import subprocess
import sys
from pathlib import Path

from patience import GENEROUS


def install(source: Path, folder: Path) -> dict[str, str]:
    """Install a package without an index and nothing of ours; return an environment that has it."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
         "--no-build-isolation", "--target", str(folder), str(source)],
        check=True, timeout=GENEROUS,
    )  # fmt: skip
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
