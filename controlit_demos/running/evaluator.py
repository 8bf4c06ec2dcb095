"""Evaluator: sees more than the controller, to judge a demonstration."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol


class Evaluation(NamedTuple):
    """What an evaluator has to say.

    Attributes:
        findings: Figures by name, for the report.
        problems: What went wrong, in words; empty after a success.
        unreachable: How many goals of a task were out of reach on purpose, by task name.
    """

    findings: Mapping[str, Any]
    problems: tuple[str, ...]
    unreachable: Mapping[str, int] = MappingProxyType({})


class Evaluator(Protocol):
    """Watches the true state of the simulated world beside the run; never heard before its end."""

    def look(self, elapsed: float) -> None:
        """Take note of the world at a time since the first goal [s]."""

    def verdict(self) -> Evaluation:
        """Judge what was seen."""

    def close(self) -> None:
        """Stop watching; idempotent."""


class BlindEvaluator:
    """Sees nothing and has nothing to say."""

    def look(self, elapsed: float) -> None:
        """Do nothing."""

    def verdict(self) -> Evaluation:
        """Return nothing."""
        return Evaluation({}, ())

    def close(self) -> None:
        """Do nothing."""
