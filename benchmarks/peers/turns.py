"""How a peer talks to the benchmark: a problem comes in, then turns; times go out; JSON lines."""

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any


def read_problem() -> dict[str, Any]:
    """Return the problem: urdf, posture by joint, hands (links), goals by hand."""
    problem: dict[str, Any] = json.loads(sys.stdin.readline())
    return problem


def serve(work: Callable[[], None]) -> None:
    """Answer each number of calls with the mean time of a call [s], until the input ends."""
    work()
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        calls = json.loads(line)
        begin = perf_counter()
        for _ in range(calls):
            work()
        print(json.dumps((perf_counter() - begin) / calls), flush=True)
