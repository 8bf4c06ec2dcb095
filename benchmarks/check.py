"""Fail if the kernels have lost their lead over their specification: `make bench-check`."""

import sys

from controlit_bench.gate import gate_section, measure_gate
from controlit_bench.machine import describe_machine
from controlit_ros.cli import output


def main() -> int:
    """Print the table; return 1 if a limit is broken, even when measured again."""
    verdicts = measure_gate()
    if not all(verdict.holds for verdict in verdicts):
        verdicts = measure_gate()  # another run beside it disturbs once, a slow kernel always
    section = gate_section(verdicts)
    table = output.table(section.columns, section.cells(), section.title)
    output.rendered(str(describe_machine()), "", table)
    return 0 if all(verdict.holds for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
