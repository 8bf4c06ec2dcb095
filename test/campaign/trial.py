"""Trials: what a campaign does again and again, each time with other numbers."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np


class TrialClass(ABC):
    """One way of mistreating a controller.

    Attributes:
        name: What the table calls it.
        share: Its part of 10 000 trials.
        least: How often it is tried at least, however short the campaign is.
    """

    name: ClassVar[str]
    share: ClassVar[int]
    least: ClassVar[int] = 1

    @abstractmethod
    def run(self, rng: np.random.Generator) -> str | None:
        """Do one trial; return what went wrong, `None` if nothing did."""

    def close(self) -> None:  # noqa: B027 - most take nothing
        """Give back what was taken; a class that failed is closed and made anew."""
