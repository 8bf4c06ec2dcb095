"""copy_kernels: a package with what compiles kernels, and other kernels."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from controlit_ros.kernels import kernel_cache

COMPILING = (
    "bind.py",
    "compile.py",
    "compiler_lock.py",
    "kernel_cache.py",
    "late_code.py",
    "quick_flags.py",
    "stored_code.py",
)


def copy_kernels(folder: Path, kernels: Mapping[str, str]) -> None:
    """Write a package `controlit_ros` of which only kernels are there.

    Args:
        folder: Gets the package.
        kernels: Sources of its own kernels, by the names of their modules.
    """
    place = folder / "controlit_ros" / "kernels"
    place.mkdir(parents=True)
    for name in COMPILING:
        shutil.copy(Path(kernel_cache.__file__).with_name(name), place)
    (place.parent / "__init__.py").touch()
    (place / "__init__.py").touch()
    for name, source in kernels.items():
        (place / f"{name}.py").write_text(source)


def run_with(folder: Path, script: str, *arguments: str) -> str:
    """Return what a script prints that imports that package, in a process of its own."""
    environment = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=folder,  # looked through before all others
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
