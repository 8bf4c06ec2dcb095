"""Statistics and turns."""

import os
import subprocess
import sys

import numpy as np
import pytest

from controlit_bench.timing import Quantiles, best, interleaved, one_processor


def test_quantiles_of_a_known_sample():
    found = Quantiles.of(np.arange(1001.0))
    assert found == pytest.approx((500.0, 990.0, 999.0, 1000.0))


def test_works_take_turns_after_one_call_each():
    calls = []
    works = {"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}
    times = interleaved(works, rounds=2, calls=3)
    assert "".join(calls) == "ab" + "aaabbb" * 2
    assert {name: len(turns) for name, turns in times.items()} == {"a": 2, "b": 2}
    assert min(times["a"]) >= 0.0


@pytest.mark.processes
def test_on_one_processor_is_all_that_is_started_there():
    allowed = os.sched_getaffinity(0)
    script = "import os; print(len(os.sched_getaffinity(0)))"
    with one_processor():
        child = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        assert (len(os.sched_getaffinity(0)), int(child.stdout)) == (1, 1)
    assert os.sched_getaffinity(0) == allowed


def test_the_best_turn_counts():
    assert best({"a": [3.0, 1.0, 2.0], "b": [5.0]}) == {"a": 1.0, "b": 5.0}
