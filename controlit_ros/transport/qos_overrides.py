"""QosOverrides: quality of service that a user chooses, by parameters of ROS 2."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controlit_ros.errors import ControlItError, did_you_mean, show

from .qos import Durability, Qos

PREFIX = "qos_overrides."
"""How the parameters begin: `qos_overrides./topic.subscription.reliability`."""

PUBLISHER, SUBSCRIPTION = "publisher", "subscription"
RELIABILITY = {"reliable": True, "best_effort": False}
DURABILITY = {durability.value: durability for durability in Durability}
POLICIES = ("reliability", "durability", "depth")


class QosOverrideError(ControlItError):
    """A parameter for the quality of service is none."""


class QosOverrides:
    """Replaces parts of the quality with which topics are used.

    Args:
        values: Plain values by parameter.

    Raises:
        QosOverrideError: A name or a value is none that is known; the text has the nearest.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._changes: dict[tuple[str, str], dict[str, Any]] = {}
        self._used: set[tuple[str, str]] = set()
        self._topics: set[str] = set()
        for name, value in values.items():
            topic, role, policy = _parts(name)
            self._changes.setdefault((topic, role), {}).update(_change(name, policy, value))

    def of(self, topic: str, role: str, qos: Qos) -> Qos:
        """Return the quality that a topic is used with.

        Args:
            topic: Absolute.
            role: `publisher` or `subscription`.
            qos: Of the program.
        """
        self._topics.add(topic)
        self._used.add((topic, role))
        return replace(qos, **self._changes.get((topic, role), {}))

    @property
    def unused(self) -> tuple[str, ...]:
        """What no topic was used for so far, in words with the nearest that was."""
        return tuple(
            f"{PREFIX}{topic}.{role}: this node has no {role} of {topic}"
            f"{'' if topic in self._topics else did_you_mean(topic, self._topics)}"
            for topic, role in self._changes.keys() - self._used
        )


def _parts(name: str) -> tuple[str, str, str]:
    topic, *rest = name.removeprefix(PREFIX).rsplit(".", 2)
    if len(rest) != 2 or not topic.startswith("/"):
        raise QosOverrideError(f"found {name!r}, expected {PREFIX}/TOPIC.subscription.reliability")
    role, policy = rest
    for word, known in ((role, (PUBLISHER, SUBSCRIPTION)), (policy, POLICIES)):
        if word not in known:
            raise QosOverrideError(f"{name}: unknown {word!r}{did_you_mean(word, known)}")
    return topic, role, policy


def _change(name: str, policy: str, value: Any) -> dict[str, Any]:
    if policy == "depth":
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise QosOverrideError(f"{name}: found {show(value)}, expected an integer >= 1")
        return {"depth": value}
    known: Mapping[str, Any] = RELIABILITY if policy == "reliability" else DURABILITY
    if value not in known:
        raise QosOverrideError(f"{name}: found {show(value)}{did_you_mean(str(value), known)}")
    if policy == "durability":
        return {"durability": known[value]}
    return {"reliable": known[value], "adapts": False}  # exactly what was chosen
