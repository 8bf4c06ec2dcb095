"""Machine: what a benchmark was measured on."""

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from controlit_bench.timing import processors

PACKAGES = ("controlit", "numpy", "numba", "pin", "mujoco")


class Machine(NamedTuple):
    """Stamp of a measurement.

    Attributes:
        processor: Model of the processor.
        cores: Processors this process may use.
        load: Mean number of running tasks over 1, 5 and 15 minutes.
        python: Version of Python.
        versions: Version of each package that matters, where installed.
        date: When, local time.
    """

    processor: str
    cores: int
    load: tuple[float, float, float]
    python: str
    versions: dict[str, str]
    date: str

    def __str__(self) -> str:
        packages = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        load = " ".join(f"{value:.1f}" for value in self.load)
        return (
            f"{self.processor}, {self.cores} cores, load {load}, {self.date}\n"
            f"Python {self.python}, {packages}"
        )


def describe_machine() -> Machine:
    """Return the stamp of this machine, now."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return Machine(
        processor=_processor(),
        cores=len(processors()) or os.cpu_count() or 1,
        load=os.getloadavg(),
        python=platform.python_version(),
        versions=versions,
        date=time.strftime("%Y-%m-%d %H:%M"),
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()  # Linux
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
