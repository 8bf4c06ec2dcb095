"""Pages of the compiler's library go, and come back to who compiles."""

import subprocess
import sys

import pytest

from controlit_ros.nodes.compiler_pages import _as_in_file, release_compiler

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
7f0000600000-7f0000700000 rw-p 00000000 00:00 0
Rss:                 100 kB
Anonymous:           100 kB
7f0000700000-7f0000800000 rw-p 00000000 00:00 0       [heap]
Rss:                 100 kB
"""

COMPILE = """
from pathlib import Path
import numba
from controlit_ros.nodes.compiler_pages import release_compiler

def resident():
    text, found, sizes = Path("/proc/self/smaps").read_text(), False, []
    for line in text.splitlines():
        if line[:1] in "0123456789abcdef" and "-" in line.split()[0]:
            found = "libllvmlite" in line
        elif found and line.startswith("Rss:"):
            sizes.append(int(line.split()[1]))
    return sum(sizes)

double = numba.njit(lambda x: 2 * x)
assert double(2) == 4
before = resident()
release_compiler()
assert resident() < 0.5 * before, (before, resident())
assert double(1.5) == 3.0 and numba.njit(lambda x: x - 1)(2) == 1
release_compiler()
"""


def test_what_was_changed_or_may_be_stays():
    mebibyte = 1 << 20
    found = list(_as_in_file(MAPS))
    assert found == [(0x7F0000000000, mebibyte), (0x7F0000100000, 2 * mebibyte)]


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="gives back pages on Linux")
def test_they_go_and_who_compiles_gets_them_back():
    subprocess.run([sys.executable, "-c", COMPILE], check=True)


def test_elsewhere_nothing_happens(tmp_path):
    release_compiler(tmp_path / "none")
