"""A demonstration in real time, on a machine that may stand still for a while.

A shared machine gives a process no processor for 50 to 500 ms now and then. A servo whose
robot was silent for so long stops it, and says so: such a run tells nothing of how goals
are followed. It is made again, and every run has to be honest about itself.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from dds_isolation import domain_environment
from patience import GENEROUS

from controlit_bench.free_domain import free_domain
from controlit_demos.registry import demo_class
from controlit_ros.share import share_directory

CONFIGURATIONS = share_directory() / "config"
RUNS = 20
STANDSTILL = 0.12  # [s] between two cycles of the servo, or of a round of goals behind its time


PROGRAM = """
import sys
from pathlib import Path
from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions
demo, folder, configuration, interface, duration = sys.argv[1:]
sys.exit(run_demo(demo, DemoOptions(
    transport="dds", duration=float(duration), folder=Path(folder), interface=interface or None,
    configuration=Path(configuration) if configuration else None,
)))
"""


def patient(demo: str, folder: Path) -> Path:
    """Return a demonstration's configuration for processes that wait for two processors."""
    file = Path(demo_class(demo).configuration_name)
    shutil.copytree((CONFIGURATIONS / file).parent, folder / "config")
    changed = folder / "config" / file.name
    text = changed.read_text(encoding="utf-8")
    assert text.count("servo_frequency: 1000") == 1
    patience = "servo_frequency: 250\n  state_timeout: 0.5\n  updater_timeout: 10"
    changed.write_text(text.replace("servo_frequency: 1000", patience))
    return changed


def run_in_time(
    demo: str, duration: float, folder: Path, interface: str = "", configuration: Path | str = ""
) -> tuple[dict, str]:
    """Run a demonstration until the machine let it; return its report and what it printed.

    Raises:
        AssertionError: There is no report, it belies the exit code, or no run was in time.
    """
    told = []
    for _ in range(RUNS):
        done = _run(demo, folder, configuration, interface, duration)
        assert (folder / "report.json").is_file(), done.stdout + done.stderr
        report = json.loads((folder / "report.json").read_text())
        assert (done.returncode == 0) == (report["problems"] == []), done.stdout + done.stderr
        standstills = _standstills(report)
        if not standstills:
            return report, done.stdout
        told.append("; ".join(standstills))
    raise AssertionError("\n".join([f"none of {RUNS} runs was in time:", *told]))


def _run(*arguments: object) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ROS_")}
    environment |= domain_environment(free_domain())
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        capture_output=True, text=True, env=environment, timeout=GENEROUS, check=False,
    )  # fmt: skip


def _standstills(report: dict) -> list[str]:
    """Say what of a run shows that the machine stood still; nothing of how goals were followed."""
    found = [problem for problem in report["problems"] if "no state from the robot for" in problem]
    if report["frequency"] is None:
        return [*found, "the servo ran no cycle after its warm-up"]
    pause = 1.0 / report["frequency"]["lowest"]
    if pause > STANDSTILL:
        found.append(f"{pause:.3f} s between two cycles of the servo")
    if report["goals"]["latest"] > STANDSTILL:
        found.append(f"a round of goals {report['goals']['latest']:.3f} s late")
    return found
