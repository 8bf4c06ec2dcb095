"""Machine code on disk is found by later processes, and never for other sources."""

import os
import shutil

import pytest
from copied_kernels import copy_kernels, run_with

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.kernel_cache import hash_texts

INNER = """
from controlit_ros.kernels.compile import kernel

@kernel
def inner(x):
    return {factor} * x
"""
OUTER = """
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.inner import inner

@kernel
def outer(x):
    return inner(x) + 1.0
"""
CALL = """
import sys
from controlit_ros.kernels.outer import outer
from controlit_ros.kernels.bind import GIVEN, bind
bound = bind(outer, GIVEN)
assert bound(1.0) == outer(1.0)
hits = [sum(kernel.stats.cache_hits.values()) for kernel in (outer, bound.func)]
assert hits[0] == hits[1], hits
print(outer(1.0), hits[0])
loaded = {"scipy.linalg", "numba.cpython.setobj", "numba.typed.typedlist"} & sys.modules.keys()
assert not hits[0] or not loaded, f"loading kernels imports what compiling needs: {loaded}"
"""


@pytest.fixture
def package(tmp_path):
    """A package with two kernels, one of which calls the other."""
    copy_kernels(tmp_path, {"inner": INNER.format(factor=1.0), "outer": OUTER})
    return tmp_path


def call(package):
    """Return what the outer kernel gives in a process of its own, and what it found on disk."""
    result, hits = run_with(package, CALL).split()
    return float(result), int(hits)


@pytest.mark.processes
def test_a_change_of_what_a_kernel_calls_reaches_its_caller(package):
    kernels = package / "controlit_ros" / "kernels"
    assert call(package) == (2.0, 0)
    assert call(package) == (2.0, 1)
    of_old = set(kernels.glob("__pycache__/outer*.nb?"))
    assert of_old
    (kernels / "inner.py").write_text(INNER.format(factor=5.0))
    assert call(package) == (6.0, 0)
    of_new = set(kernels.glob("__pycache__/outer*.nb?"))
    assert of_new
    assert not of_old & of_new, "what old sources left stays"
    assert call(package) == (6.0, 1)


def test_names_contents_and_their_borders_count():
    contents = ((b"x", b"y"), (b"y", b"x"), (b"xy", b""), (b"", b"xy"), (b"x", b"z"))
    found = {hash_texts({"a.py": one, "b.py": two}) for one, two in contents}
    assert found == {hash_texts({"b.py": two, "a.py": one}) for one, two in contents}
    assert len(found) == 5


@pytest.mark.processes
def test_a_change_of_what_a_kernel_does_not_call_compiles_nothing(package):
    kernels = package / "controlit_ros" / "kernels"
    other = kernels / "other.py"
    other.write_text(INNER.format(factor=7.0))
    assert call(package) == (2.0, 0)
    of_old = set(kernels.glob("__pycache__/outer*.nb?"))
    other.write_text(INNER.format(factor=8.0))
    assert call(package) == (2.0, 1)
    assert set(kernels.glob("__pycache__/outer*.nb?")) == of_old


@pytest.mark.processes
def test_machine_code_is_found_by_a_copy_of_the_package(package, tmp_path_factory):
    assert call(package) == (2.0, 0)
    copied = tmp_path_factory.mktemp("copied")
    shutil.copytree(package / "controlit_ros", copied / "controlit_ros")
    for path in copied.rglob("*.py"):  # as an installer leaves them
        os.utime(path, (0, 0))
    assert call(copied) == (2.0, 1)


def test_what_can_be_cached_nowhere_is_compiled_all_the_same():
    names = {}
    exec("def twice(x):\n    return 2.0 * x", names)
    assert kernel(names["twice"])(3.0) == 6.0
