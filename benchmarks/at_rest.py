"""Write docs/at_rest.md: every robot of example-robot-data at rest; `--quick` only prints it."""

import sys
from pathlib import Path

from controlit_bench.at_rest import measure_at_rest
from controlit_bench.measured_page import write_measured_page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "at_rest.md"
INTRODUCTION = """# At rest

Written by `python benchmarks/at_rest.py`, in MuJoCo. First every robot of the package
example-robot-data with every joint free and its root link bolted to the world, kept in its posture
by a `JointPosition` task (kp 64, kd 16) without a word about its inertias. Then those that have
feet, on a floor, with the controller that `controlit new robot` writes of them, from a second after
the start on, when their feet have sunk in. `error` is the largest part of gravity that compensation
and contacts leave, by Pinocchio; `motion` how far the joint went that went farthest.

What moves more has a reason that no control law ends: a motor weaker than the weight it carries.
One on its feet moves for a reason not found yet: `centauro.urdf` sways by a degree on the rims of
its locked wheels. Robots whose motors cannot carry them on their feet do not stand, but are bolted.
"""

if __name__ == "__main__":
    sys.exit(write_measured_page(PAGE, INTRODUCTION, lambda quick: measure_at_rest(quick=quick)))
