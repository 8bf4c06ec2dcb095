"""What a process takes of the machine, by Linux's proc."""

import os
import time
from pathlib import Path

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


def process_with_servo(pid: int) -> int:
    """Return the process that makes the cycles of a controller: a child, or the process itself."""
    for children in (Path("/proc") / str(pid) / "task").glob("*/children"):
        for child in children.read_text(encoding="utf-8").split():
            name = (Path("/proc") / child / "comm").read_text(encoding="utf-8").strip()
            if name == SERVO_NAME:
                return int(child)
    return pid
