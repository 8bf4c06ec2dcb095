"""Quality of service in the words of rclpy."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from controlit_ros.transport.qos import Durability, Qos

SERVICE = Qos(reliable=True, depth=50)
"""Calls under way at a time; the 10 of rclpy lose some when many clients call at once."""


def profile(qos: Qos) -> QoSProfile:
    """Return the profile of a publisher, subscription, service or client."""
    latched = qos.durability is Durability.TRANSIENT_LOCAL
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=qos.depth,
        reliability=(ReliabilityPolicy.RELIABLE if qos.reliable else ReliabilityPolicy.BEST_EFFORT),
        durability=(DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE),
    )


def qos_of(found: QoSProfile) -> Qos:
    """Return what discovery tells of an endpoint; it does not tell how deep its history is."""
    latched = found.durability is DurabilityPolicy.TRANSIENT_LOCAL
    return Qos(
        reliable=found.reliability is ReliabilityPolicy.RELIABLE,
        durability=Durability.TRANSIENT_LOCAL if latched else Durability.VOLATILE,
    )
