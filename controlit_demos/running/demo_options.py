"""DemoOptions: what the user asks of a demonstration."""

from pathlib import Path
from typing import NamedTuple


class DemoOptions(NamedTuple):
    """How to run a demonstration.

    Attributes:
        transport: Name of the transport, `None` for the default.
        duration: End after so much of the program [s]; `None` for all of it.
        folder: Of the report; `None` for `reports/<name>-<timestamp>`.
        quiet: Show only the table at the end.
        configuration: File of the controller; `None` for the demonstration's own.
        seed: Of everything random; of the first run where there are several.
        runs: How many, each with the next seed.
        simulated_time: Run servo, simulation and client in this process, as fast as they compute
            and each run of a seed like the other.
        interface: Robot interface that joins the servo to a simulator in a process of its own;
            `None` for what the configuration says.
        screen: Whether the operator's screen is shown beside it.
    """

    transport: str | None = None
    duration: float | None = None
    folder: Path | None = None
    quiet: bool = False
    configuration: Path | None = None
    seed: int = 0
    runs: int = 1
    simulated_time: bool = False
    interface: str | None = None
    screen: bool = False
