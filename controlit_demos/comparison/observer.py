"""Observer: sees one thing of the simulated world."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from controlit_demos.comparison.trace import Trace


class Observer(Protocol):
    """Looks at the world between the cycles of the servo, which never hears of it."""

    def look(self, elapsed: float) -> None:
        """Take note at a time since the scenario began [s]."""

    def findings(self) -> Mapping[str, float]:
        """Return figures by name."""

    def traces(self) -> Sequence[Trace]:
        """Return what the picture shows of it."""
