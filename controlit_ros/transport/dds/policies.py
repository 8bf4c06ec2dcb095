"""Quality of service in the words of Cyclone."""

from cyclonedds.core import Policy
from cyclonedds.core import Qos as CycloneQos

from controlit_ros.transport.qos import Durability, Qos

MAX_BLOCKING = 10_000_000
"""How long a write may wait for a slow subscription [ns]; it holds all Python threads meanwhile."""

SERVICE = Qos(reliable=True, depth=50)
"""Calls under way at a time; what ROS 2 does with 10 loses some when many clients call at once."""

DISCOVERY = Qos(reliable=True, durability=Durability.TRANSIENT_LOCAL, depth=1)
"""Each participant announces its nodes by one sample, the newest of which counts."""


def writer_qos(qos: Qos, user_data: bytes) -> CycloneQos:
    """Return the policies of a writer."""
    policies = _common(qos, user_data)
    policies.append(Policy.WriterDataLifecycle(autodispose=False))
    if qos.durability is Durability.TRANSIENT_LOCAL:
        policies.append(
            Policy.DurabilityService(
                cleanup_delay=0,
                history=Policy.History.KeepLast(qos.depth),
                max_samples=-1,
                max_instances=-1,
                max_samples_per_instance=-1,
            )
        )
    return CycloneQos(*policies, Policy.History.KeepLast(qos.depth))


def reader_qos(qos: Qos, user_data: bytes) -> CycloneQos:
    """Return the policies of a reader."""
    return CycloneQos(
        *_common(qos, user_data),
        Policy.History.KeepLast(qos.depth),
        Policy.TypeConsistency.DisallowTypeCoercion(),
    )


def discovery_reader_qos(user_data: bytes) -> CycloneQos:
    """Return the policies of the reader of node announcements.

    The topic has no key, so what all participants say is one history: it keeps all, or nodes
    vanish. Our own announcement would come back without the policy that ignores it.
    """
    return CycloneQos(
        *_common(DISCOVERY, user_data), Policy.History.KeepAll, Policy.IgnoreLocal.Participant
    )


def qos_of(policies: CycloneQos) -> Qos:
    """Return what discovery tells of an endpoint; it does not tell how deep its history is."""
    latched = Policy.Durability.Volatile not in policies
    return Qos(
        reliable=Policy.Reliability.BestEffort not in policies,
        durability=Durability.TRANSIENT_LOCAL if latched else Durability.VOLATILE,
    )


def _common(qos: Qos, user_data: bytes) -> list[object]:
    return [
        Policy.Reliability.Reliable(MAX_BLOCKING)
        if qos.reliable
        else Policy.Reliability.BestEffort,
        Policy.Durability.TransientLocal
        if qos.durability is Durability.TRANSIENT_LOCAL
        else Policy.Durability.Volatile,
        Policy.DataRepresentation(use_cdrv0_representation=True),
        Policy.Userdata(user_data),
    ]
