"""How long `controlit run` takes to its first cycle."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from controlit_bench.free_domain import free_domain
from controlit_bench.problems import dreamer_content, write_content
from controlit_bench.section import Section
from controlit_bench.timing import Quantiles
from controlit_ros.errors import ControlItError
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.transport.domain import DOMAIN_VARIABLE

TARGET = 2.0  # [s]
TIMEOUT = 120.0  # [s] a cold compilation included
POLL = 0.002  # [s]
RUNNING = " runs at "
"""What the log says when the servo's clock runs."""
LIBRARIES = "import cyclonedds.domain, mujoco, numba, numpy, pinocchio, pydantic"


def measure_start(*, quick: bool) -> Section:
    """Start a controller and the libraries it needs in turns; the first turn warms the caches."""
    trials = 2 if quick else 10
    times: dict[str, list[float]] = {"controller": [], "libraries": []}
    with tempfile.TemporaryDirectory() as folder:
        path = write_content(dreamer_content(), Path(folder) / "controller.yaml")
        for _ in range(trials + 1):
            times["controller"].append(_controller(path))
            times["libraries"].append(_libraries())
    found = {name: Quantiles.of(values[1:]) for name, values in times.items()}
    whole, imports = found["controller"], found["libraries"]
    return Section(
        name="start",
        title=f"`controlit run` over dds, warm, {trials} times",
        columns=("what", "p50 [s]", "max [s]", "target p50 [s]"),
        rows=(
            ("process to first cycle", whole.p50, whole.highest, TARGET),
            ("process that only imports the libraries", imports.p50, imports.highest, None),
        ),
    )


def _controller(path: Path) -> float:
    domain = {DOMAIN_VARIABLE: str(free_domain())}
    servo = ServoProcess(path, path.parent, duration=TIMEOUT, transport="dds", environment=domain)
    begin = time.monotonic()
    with servo:
        while RUNNING not in servo.log_tail():
            servo.check()
            if time.monotonic() - begin > TIMEOUT:
                raise ControlItError(f"the servo did not start:\n{servo.log_tail()}")
            time.sleep(POLL)
        return time.monotonic() - begin


def _libraries() -> float:
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)  # noqa: S603 - our own words
    return time.monotonic() - begin
