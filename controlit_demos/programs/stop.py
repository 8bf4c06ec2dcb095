"""Stop: goals to pass on the way, or to rest at."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy.typing as npt


class Stop(NamedTuple):
    """Goals to pass on the way, or to rest at.

    Attributes:
        name: What the motion towards them does, for displays.
        duration: Time from the last stop to this one [s].
        goals: By task name; a task left out stays where it was.
        pause: Time to rest here [s]; 0: pass through.
    """

    name: str
    duration: float
    goals: Mapping[str, npt.ArrayLike]
    pause: float = 0.0
