"""Write docs/first_files.md, what `controlit new robot` makes of robots; `--quick` prints it."""

import sys
from pathlib import Path

from controlit_bench.first_files import measure_first_files
from controlit_bench.measured_page import write_measured_page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "first_files.md"
INTRODUCTION = """# First files

Written by `python benchmarks/first_files.py`: every robot of the package example-robot-data with at
least three joints, with the file that `controlit new robot` writes of it and nobody has touched. It
is checked as `controlit check` does, then runs in MuJoCo; every cycle is looked at. `beyond` is how
far a joint was past a position limit (negative: all stayed that far within), `velocity` and
`effort` the largest shares of their limits, `moved` how far the joint went that went farthest,
sinking into the floor included. Nobody sends goals: robots keep the posture they begin with. A row
passes with at most 0.001 rad or m beyond, 102 % of a velocity and 100 % of an effort limit, control
active to the end. Warnings tell what is wrong with a description.

Joints that roll, and those to which the description gives an effort, a speed or a range of 0, are
locked and do not count. Robots with legs whose motors cannot carry them as they start are bolted
down: `human` has the y axis upwards and would lie, `simple_humanoid` has ranges of its right leg in
the order of other joints and 30 N m in its waist. `quadruped` has no range of its knees.
"""

if __name__ == "__main__":
    sys.exit(
        write_measured_page(PAGE, INTRODUCTION, lambda quick: [measure_first_files(quick=quick)])
    )
