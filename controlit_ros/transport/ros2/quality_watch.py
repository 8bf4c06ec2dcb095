"""QualityWatch: tells of ends of other nodes that a publisher or subscription never meets."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import QoSPolicyKind

from controlit_ros.transport.qos import Durability, Qos
from controlit_ros.transport.unmet import unmet

from .wait_loop import RosWaitLoop, WaitKind

logger = logging.getLogger(__name__)

OFFERED = rclpy_implementation.rcl_publisher_event_type_t.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS
REQUESTED = (
    rclpy_implementation.rcl_subscription_event_type_t.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS
)


class QualityWatch:
    """Hears from rclpy when another node offers too little to be heard, or asks for too much.

    rclpy tells which policy does not fit, not which node it is.

    Args:
        topic: Absolute name.
        handle: Of the publisher or subscription.
        qos: What it offers or asks for.
        sends: Whether it is a publisher.
        loop: Waits for the news.
        adapt: Called in place of a warning where less reliability would do.
    """

    def __init__(
        self,
        topic: str,
        handle: Any,
        qos: Qos,
        loop: RosWaitLoop,
        *,
        sends: bool,
        adapt: Callable[[], None] | None = None,
    ) -> None:
        self._topic = topic
        self._qos = qos
        self._loop = loop
        self._sends = sends
        self._adapt = adapt
        self._told: set[str] = set()
        with handle:
            self._event = rclpy_implementation.EventHandle(handle, OFFERED if sends else REQUESTED)
        loop.add(WaitKind.EVENT, self._event, self._hear)

    def close(self) -> None:
        """Hear nothing any more; before the publisher or subscription is destroyed."""
        self._loop.remove(self._event)
        self._event.destroy_when_not_in_use()

    def _hear(self) -> None:
        try:
            with self._event:
                news = self._event.take_event()
        except InvalidHandle:  # closed by another thread just now
            return
        if news is None:
            return
        policy = news.last_policy_kind
        if self._adapt is not None and policy == QoSPolicyKind.RELIABILITY:
            self._adapt()
            return
        theirs = _other(self._qos, policy, sends=self._sends)
        text = unmet(self._topic, self._qos, theirs, sends=self._sends)
        if text and text not in self._told:
            self._told.add(text)
            logger.warning("%s", text)


def _other(qos: Qos, policy: int, *, sends: bool) -> Qos:
    """Return what another node has, which differs from ours in one policy."""
    if policy == QoSPolicyKind.RELIABILITY:
        return replace(qos, reliable=sends, adapts=False)
    if policy == QoSPolicyKind.DURABILITY:
        latched = Durability.TRANSIENT_LOCAL if sends else Durability.VOLATILE
        return replace(qos, durability=latched)
    return qos
