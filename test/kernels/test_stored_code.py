"""Machine code that comes from disk brings nothing else along, and does what it did."""

import pytest
from copied_kernels import copy_kernels, run_with

KERNELS = """
import numpy as np
from controlit_ros.kernels.compile import counting_kernel, kernel

@counting_kernel
def reversed_copy(x):
    found = np.empty_like(x)
    for i in range(len(x)):
        found[i] = x[len(x) - 1 - i]
    return found

@kernel
def half(x):
    if x < 0.0:
        raise ValueError("negative")
    return 0.5 * x
"""
CALL = """
import sys
import numpy as np
from numba.core.runtime.nrt import rtsys
from controlit_ros.kernels.compile import counting_kernel
from controlit_ros.kernels.stored import half, reversed_copy

x = np.array([1.0, 2.0, 3.0])
for _ in range(1000):
    found = reversed_copy(x)
assert found.tolist() == [3.0, 2.0, 1.0] and sys.getrefcount(found) == 2
assert half(3.0) == 1.5
try:
    half(-1.0)
except ValueError as error:
    assert str(error) == "negative"
else:
    raise AssertionError("nothing was raised")
hits = [sum(kernel.stats.cache_hits.values()) for kernel in (reversed_copy, half)]
if sys.argv[1] == "stored":
    assert hits == [1, 1], hits
    for kernel_ in (reversed_copy, half):
        (loaded,) = kernel_.overloads.values()
        assert not list(loaded.library._shared_module.functions), "what others contain came along"
    assert not rtsys._init, "the runtime was compiled"
    assert "numpy.ma" not in sys.modules, "arguments were asked whether they are masked"

@counting_kernel
def caller(x):
    return half(reversed_copy(x)[0])

assert caller(x) == 1.5
"""


@pytest.mark.processes
def test_stored_kernels_do_what_they_did_and_are_called_by_others(tmp_path):
    copy_kernels(tmp_path, {"stored": KERNELS})
    for state in ("new", "stored"):
        run_with(tmp_path, CALL, state)
