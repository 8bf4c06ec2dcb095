"""What a process takes of the machine, by Linux's proc."""

import os
import time
from collections.abc import Iterable
from pathlib import Path

from controlit_ros.memory_maps import memory_maps, sizes_told
from controlit_ros.nodes.servo_side import NAME as SERVO_NAME

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Usage:
    """Processor time and memory of another process."""

    def __init__(self, pid: int) -> None:
        self._folder = Path("/proc") / str(pid)
        self._begin = (self._cpu(), time.monotonic())

    def processor(self) -> float:
        """Return the share of one core since this was made."""
        cpu, begin = self._begin
        return (self._cpu() - cpu) / (time.monotonic() - begin)

    def memory(self) -> float:
        """Return the resident memory [MB]."""
        pages = int((self._folder / "statm").read_text(encoding="utf-8").split()[1])
        return pages * _PAGE / 1e6

    def _cpu(self) -> float:
        fields = (self._folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_together(pids: Iterable[int]) -> float:
    """Return the resident memory of processes that fork, what they share counted once [MB].

    Pages of a file, which other programs may map, too, count as often as the process that has most
    of them has them.
    """
    own, of_files = 0, dict[str, int]()
    for pid in pids:
        folder = Path("/proc") / str(pid)
        own += sizes_told((folder / "smaps_rollup").read_text(encoding="utf-8"))["Pss_Anon"]
        for mapping in memory_maps((folder / "smaps").read_text(encoding="utf-8")):
            place, sizes = f"{mapping.path} {mapping.offset}", sizes_told(mapping.told)
            size = sizes["Rss"] - sizes["Anonymous"]
            of_files[place] = max(of_files.get(place, 0), size)
    return 1.024e-3 * (own + sum(of_files.values()))


def process_with_servo(pid: int) -> int:
    """Return the process that makes the cycles of a controller: a child, or the process itself."""
    for children in (Path("/proc") / str(pid) / "task").glob("*/children"):
        for child in children.read_text(encoding="utf-8").split():
            name = (Path("/proc") / child / "comm").read_text(encoding="utf-8").strip()
            if name == SERVO_NAME:
                return int(child)
    return pid
