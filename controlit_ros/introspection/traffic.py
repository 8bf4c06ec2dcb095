"""Traffic: what came in and went out, and what was lost on the way."""

from dataclasses import asdict
from typing import NamedTuple

from controlit_ros.transport import Health, Sent


class Traffic(NamedTuple):
    """Messages of a controller since its start.

    Attributes:
        dropped: Values that a slow reader lost, on the way in or out.
        received: Values that bindings handed to the controller.
        rejected: Messages that fitted no parameter.
        last_rejection: Why the last of them did not; empty for none.
        failures: Deliveries that raised.
        last_failure: Text of the last of them; empty for none.
        health: What the transport counted.
    """

    dropped: int
    received: int
    rejected: int
    last_rejection: str
    failures: int
    last_failure: str
    health: Health

    @property
    def faults(self) -> int:
        """Everything that should stay zero but what was dropped or rejected."""
        health = self.health
        return (
            self.failures
            + health.unsent
            + health.lost
            + health.undecodable
            + health.callback_errors
            + health.handler_errors
            + len(health.type_conflicts)
        )

    def sent_since(self, before: "Traffic") -> Sent:
        """Return what went out since then on the topics that are open now."""
        messages = size = 0
        for topic, sent in self.health.topics.items():
            earlier = before.health.topics.get(topic, Sent())
            messages += max(sent.messages - earlier.messages, 0)  # less: it was opened anew
            size += max(sent.size - earlier.size, 0)
        return Sent(messages, size)

    def topics(self) -> dict[str, object]:
        """Return what to show of each topic, by name."""
        return {
            topic: f"{sent.messages} messages, {sent.size} bytes"
            for topic, sent in sorted(self.health.topics.items())
        }

    def values(self) -> dict[str, object]:
        """Return what to show of it, by name."""
        health = asdict(self.health)
        del health["topics"]
        conflicts = ", ".join(health.pop("type_conflicts"))
        shown: dict[str, object] = {
            "dropped": self.dropped,
            "received by bindings": self.received,
            "rejected": self.rejected,
            "last rejection": self.last_rejection,
            "failed deliveries": self.failures,
            "last failure": self.last_failure,
        }
        shown |= {f"transport: {key.replace('_', ' ')}": value for key, value in health.items()}
        shown["transport: type conflicts"] = conflicts
        return shown
