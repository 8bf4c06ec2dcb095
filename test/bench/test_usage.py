"""Memory of processes that share some of it."""

import mmap
import os
import sys

import pytest

from controlit_bench.usage import memory_together

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's proc"),
]
SIZE = 64_000_000  # [bytes]


def test_what_a_fork_shares_counts_once():
    memory = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(b"x" * SIZE)
    alone = memory_together([os.getpid()])
    ended, end = os.pipe()
    child = os.fork()
    if not child:
        os.close(end)
        os.read(ended, 1)
        os._exit(0)
    together = memory_together([os.getpid(), child])
    os.close(end)
    os.waitpid(child, 0)
    assert alone > 1e-6 * SIZE
    assert together - alone < 0.25e-6 * SIZE
    memory.close()
