"""What the parts of one transport share."""

from dataclasses import dataclass

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.counters import Counters

from .discovery import Discovery
from .participant import DdsParticipant


@dataclass(frozen=True)
class DdsContext:
    """The participant of a node, its discovery, its counters and the types it speaks of."""

    participant: DdsParticipant
    discovery: Discovery
    counters: Counters
    book: TypeBook
