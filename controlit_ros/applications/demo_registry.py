"""The demos there are, and how to run one."""

from collections.abc import Mapping
from pathlib import Path

from controlit_ros.errors import ControlItError, did_you_mean

DEMOS: Mapping[str, str] = {
    "hands": "Dreamer in simulation follows hand goals that a second process sends over topics",
}
"""Name and description of each demo."""


class UnknownDemoError(ControlItError):
    """There is no such demo; the text lists the nearest."""


def run_demo(
    name: str,
    *,
    transport: str | None = None,
    duration: float | None = None,
    report: Path | None = None,
    quiet: bool = False,
) -> int:
    """Run a demo and return its exit code: 0 if everything stayed within its bounds.

    Args:
        name: One of `DEMOS`.
        transport: Name of the transport, `None` for the default.
        duration: End after so much motion [s]; `None` for the whole demo.
        report: Folder of the report; `None` for `reports/<name>-<timestamp>`.
        quiet: Show only the table at the end.

    Raises:
        UnknownDemoError: There is no such demo.
    """
    if name not in DEMOS:
        raise UnknownDemoError(f"unknown demo {name!r}{did_you_mean(name, DEMOS)}")
    from controlit_ros.applications.hands_demo import HandsDemo  # noqa: PLC0415 - slow to import

    return HandsDemo(transport=transport, duration=duration, folder=report, quiet=quiet).run()
