"""Pages of libraries go once they are not needed, and come back to who needs them."""

import subprocess
import sys

import pytest
from numba.core.compiler_lock import global_compiler_lock

from controlit_ros.nodes import library_pages
from controlit_ros.nodes.library_pages import (
    QUIET,
    UnusedLibraries,
    _as_in_file,
    release_compiler,
    release_libraries,
)

MAPS = """\
7f0000000000-7f0000100000 r--p 00000000 fe:00 1234    /a b/libllvmlite.so
Rss:                 700 kB
Anonymous:             0 kB
VmFlags: rd mr mw me
7f0000100000-7f0000300000 r-xp 00100000 fe:00 1234    /a b/libllvmlite.so
Rss:                1700 kB
Anonymous:             0 kB
7f0000300000-7f0000400000 r--p 00300000 fe:00 1234    /a b/libllvmlite.so
Rss:                 100 kB
Anonymous:           100 kB
7f0000400000-7f0000500000 rw-p 00400000 fe:00 1234    /a b/libllvmlite.so
Rss:                   0 kB
Anonymous:             0 kB
7f0000500000-7f0000600000 r-xp 00000000 fe:00 99      /a b/libother.so
Rss:                 100 kB
Anonymous:             0 kB
7f0000600000-7f0000700000 r-xp 00000000 00:00 0
Rss:                 100 kB
Anonymous:           100 kB
7f0000700000-7f0000800000 rw-p 00000000 00:00 0       [heap]
Rss:                 100 kB
"""

RESIDENT = """
from pathlib import Path
from controlit_ros.memory_maps import memory_maps, sizes_told
from controlit_ros.nodes.library_pages import release_compiler, release_libraries

def resident(name):
    maps = memory_maps(Path("/proc/self/smaps").read_text())
    return sum(sizes_told(m.told)["Rss"] for m in maps if name in m.path)
"""
COMPILE = f"""
{RESIDENT}
import numba

double = numba.njit(lambda x: 2 * x)
assert double(2) == 4
before = resident("libllvmlite")
release_compiler()
assert resident("libllvmlite") < 0.5 * before, (before, resident("libllvmlite"))
assert double(1.5) == 3.0 and numba.njit(lambda x: x - 1)(2) == 1
release_compiler()
"""
IMPORT = f"""
{RESIDENT}
import pinocchio

before = resident(".so")
release_libraries()
assert resident(".so") < 0.5 * before, (before, resident(".so"))
assert pinocchio.SE3.Identity().isIdentity()
release_libraries()
"""


def test_what_was_changed_or_may_be_stays():
    mebibyte = 1 << 20
    compiler = [(0x7F0000000000, mebibyte), (0x7F0000100000, 2 * mebibyte)]
    assert list(_as_in_file(MAPS, lambda name: "llvm" in name)) == compiler
    other = (0x7F0000500000, mebibyte)
    assert list(_as_in_file(MAPS, lambda _name: True)) == [*compiler, other]


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="gives back pages on Linux")
def test_they_go_and_who_compiles_gets_them_back():
    subprocess.run([sys.executable, "-c", COMPILE], check=True)


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="gives back pages on Linux")
def test_those_of_all_libraries_go_and_who_calls_them_gets_them_back():
    subprocess.run([sys.executable, "-c", IMPORT], check=True)


def test_elsewhere_nothing_happens(tmp_path):
    release_compiler(tmp_path / "none")
    release_libraries(tmp_path / "none")


def test_what_another_thread_opens_meanwhile_stays(tmp_path, monkeypatch):
    maps, given_back = tmp_path / "smaps", []
    whole = "7f0000500000-7f0000600000 r-xp 00000000 fe:00 99      /a b/libother.so"
    part = whole.replace("7f0000600000", "7f0000580000")
    assert whole in MAPS
    maps.write_text(MAPS)

    class Library:
        def __init__(self, _name):
            self.madvise = lambda begin, size, _advice: given_back.append((begin.value, size.value))

    monkeypatch.setattr(library_pages.ctypes, "CDLL", Library)
    monkeypatch.setattr(
        library_pages.time, "sleep", lambda _: maps.write_text(MAPS.replace(whole, part))
    )
    release_libraries(maps)
    assert sorted(given_back) == [(0x7F0000000000, 1 << 20), (0x7F0000100000, 2 << 20)]


@pytest.fixture
def released(monkeypatch):
    """Which pages were given back so far, on a clock that stands at `released.now` [s]."""

    class Released(list):
        now = 100.0

    found = Released()
    monkeypatch.setattr(library_pages, "release_compiler", lambda: found.append("compiler"))
    monkeypatch.setattr(library_pages, "release_libraries", lambda: found.append("libraries"))
    monkeypatch.setattr(library_pages.time, "monotonic", lambda: found.now)
    return found


def load_a_kernel():
    with global_compiler_lock:
        pass


def test_they_go_at_first_and_some_time_after_a_kernel_was_loaded(released):
    libraries = UnusedLibraries(makes_cycles=False)
    with libraries.noticed():
        libraries.look()
        assert released == ["libraries"]
        released.now += 2.0 * QUIET
        libraries.look()
        assert released == ["libraries"], "nothing was loaded meanwhile"

        load_a_kernel()
        released.now += 0.5 * QUIET
        libraries.look()
        assert released == ["libraries"], "more may be loaded"
        released.now += QUIET
        libraries.look()
        assert released == ["libraries", "libraries"]

    load_a_kernel()
    released.now += 2.0 * QUIET
    libraries.look()
    assert released == ["libraries", "libraries"], "nobody listens any more"


def test_where_cycles_are_made_only_the_compiler_goes_and_once(released):
    libraries = UnusedLibraries(makes_cycles=True)
    with libraries.noticed():
        libraries.look()
        load_a_kernel()
        released.now += 2.0 * QUIET
        libraries.look()
    assert released == ["compiler"]
