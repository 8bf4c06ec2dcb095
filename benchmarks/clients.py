"""Print what clients do to a moving Talos in real time; `--frequency 250`: a slower servo."""

import argparse
import sys

from controlit_bench.clients import measure_clients
from controlit_bench.machine import describe_machine

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few of all")
    parser.add_argument("--frequency", type=float, default=500.0, help="of the servo [Hz]")
    given = parser.parse_args()
    sections = measure_clients(quick=given.quick, frequency=given.frequency)
    sys.stdout.write("".join([f"{describe_machine()}\n", *(s.markdown() for s in sections)]))
