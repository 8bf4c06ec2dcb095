"""Wakefulness: processors that do not fall asleep between two cycles of the servo."""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LATENCY_DEVICE = Path("/dev/cpu_dma_latency")
"""Whoever keeps it open, having written a latency [µs], gets no deeper sleep (Linux, PM QoS)."""


@contextmanager
def processors_awake(*, wanted: bool) -> Iterator[tuple[str, ...]]:
    """Let no processor of the machine sleep meanwhile: sleepers wake late, with empty caches.

    The system takes it back when the process ends, however it ends.

    Args:
        wanted: Whether to do so at all.

    Yields:
        A sentence for what was refused, if anything was.
    """
    descriptor, refused = _hold() if wanted else (None, ())
    try:
        yield refused
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _hold() -> tuple[int | None, tuple[str, ...]]:
    descriptor = None
    try:
        descriptor = os.open(LATENCY_DEVICE, os.O_WRONLY | os.O_CLOEXEC)
        os.write(descriptor, struct.pack("i", 0))
    except OSError as error:
        return descriptor, (f"keeping processors awake: {LATENCY_DEVICE}: {error.strerror}",)
    return descriptor, ()
