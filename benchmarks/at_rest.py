"""Write docs/at_rest.md: every robot of example-robot-data at rest; `--quick` only prints it."""

import sys
from pathlib import Path

from controlit_bench.at_rest import measure_at_rest

PAGE = Path(__file__).resolve().parent.parent / "docs" / "at_rest.md"
INTRODUCTION = """# At rest

Written by `python benchmarks/at_rest.py`. Every robot of the package example-robot-data with every
joint free, its root link bolted to the world, in MuJoCo, kept in its posture by a `JointPosition`
task (kp 64, kd 16) without a word about its inertias; and two humanoids on their feet, as they are
installed. `error` is the largest part of gravity that the compensation and the contacts leave, by
Pinocchio; `motion` how far the joint went that went farthest.

What moves more has a reason that no control law ends: a motor weaker than the weight it carries.

"""


def main() -> int:
    """Measure and write; return 0."""
    section = measure_at_rest(quick="--quick" in sys.argv[1:])
    lines = ["| " + " | ".join(section.columns) + " |", "|---" * len(section.columns) + "|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in section.cells()]
    text = INTRODUCTION + "\n".join([f"{section.title}:", "", *lines, "", *section.remarks, ""])
    if "--quick" in sys.argv[1:]:
        sys.stdout.write(text)
    else:
        PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
