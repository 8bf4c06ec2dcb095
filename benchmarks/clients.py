"""Print what clients do to a moving Talos in real time; `--quick`: few of them, `--1000`: 1 kHz."""

import sys

from controlit_bench.clients import measure_clients
from controlit_bench.machine import describe_machine

if __name__ == "__main__":
    frequency = 1000.0 if "--1000" in sys.argv[1:] else 500.0
    sections = measure_clients(quick="--quick" in sys.argv[1:], frequency=frequency)
    sys.stdout.write("".join([f"{describe_machine()}\n", *(s.markdown() for s in sections)]))
