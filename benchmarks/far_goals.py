"""Write docs/far_goals.md: robots with goals out of reach.

`--goals N` changes how many goals each file gets, `--quick` prints the result with one goal.
"""

import argparse
import sys
from pathlib import Path

from controlit_bench.far_goals import GOALS, measure_far_goals
from controlit_bench.measured_page import write_measured_page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "far_goals.md"
INTRODUCTION = """# Goals out of reach

Written by `python benchmarks/far_goals.py`: every robot of the package example-robot-data with the
file that `controlit new robot` writes, and every file in `config`, in MuJoCo. A task that leads a
point gets goals 1 to 4 m from where the point is, in random directions. A row passes if
control stays active for 10 s and no joint moves faster than 0.01 rad/s or m/s in the last second.
`beyond the nearest point` is how much farther from the goal the point rests than the nearest point
that any posture within the joint limits reaches, found by search; it is blank where other tasks of
the same level, contacts or coupled joints also decide.

[Near singularities](controllers.md#near-singularities) describes the law.
"""

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", type=int, default=GOALS, help="for each file and controller")
    goals = parser.parse_known_args()[0].goals
    sys.exit(
        write_measured_page(
            PAGE, INTRODUCTION, lambda quick: measure_far_goals(1 if quick else goals)
        )
    )
