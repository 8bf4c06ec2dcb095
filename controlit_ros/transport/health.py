"""What a transport counts about itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .sent import Sent


@dataclass(frozen=True)
class Health:
    """Counters since the transport was opened; all but the first two should stay zero.

    Attributes:
        published: messages handed to the middleware.
        received: messages delivered to callbacks.
        unsent: messages the middleware refused, for instance because its buffers were full.
        lost: messages that a subscription missed, as far as the middleware can tell.
        undecodable: samples that were not what their type says; they were dropped.
        callback_errors: exceptions from callbacks of subscriptions.
        handler_errors: exceptions from handlers of services.
        type_conflicts: other nodes' endpoints whose type differs from ours on the same topic.
        topics: what was handed to the middleware by the publishers that are open, by topic.
    """

    published: int = 0
    received: int = 0
    unsent: int = 0
    lost: int = 0
    undecodable: int = 0
    callback_errors: int = 0
    handler_errors: int = 0
    type_conflicts: tuple[str, ...] = ()
    topics: Mapping[str, Sent] = field(default_factory=dict)
