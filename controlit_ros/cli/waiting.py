"""What a command of a running controller waits for, shown on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.client import network
from controlit_ros.transport import Graph, Transport


@contextmanager
def waiting(what: str) -> Iterator[StartProgress]:
    """Show on the standard error what is waited for, unless it is soon over."""
    with StartProgress(StatusLines(sys.stderr), what, is_quiet=False) as progress:
        yield progress


def settled_graph(transport: Transport) -> Graph:
    """Return the graph once it has stopped to change, and show that this is waited for."""
    with waiting("looking who is there"):
        return network.settled_graph(transport)
