"""The DDS domains of this process."""

import logging
import os
from threading import Lock

from cyclonedds.core import DDSException
from cyclonedds.domain import Domain

from controlit_ros.transport.errors import TransportError

from .loopback import confine, own_sockets
from .settings import DdsSettings

logger = logging.getLogger(__name__)

_lock = Lock()
_domains: dict[int, tuple[Domain, DdsSettings]] = {}
_pid = os.getpid()


def open_domain(settings: DdsSettings) -> None:
    """Configure the domain unless this process has done so; it stays until the process ends.

    Cyclone takes a configuration once per process and domain, before the first participant.

    Raises:
        TransportError: the configuration is not accepted, or the process was forked since.
    """
    with _lock:
        if _domains and os.getpid() != _pid:
            raise TransportError(
                "this process was forked from one that uses DDS, which does not survive that; "
                "start processes with 'spawn'"
            )
        if settings.domain_id in _domains:
            if _domains[settings.domain_id][1] != settings:
                logger.warning(
                    "domain %d is open with other settings, which stay", settings.domain_id
                )
            return
        before = own_sockets()
        try:
            domain = Domain(settings.domain_id, settings.xml)
        except DDSException as error:
            raise TransportError(
                f"Cyclone DDS refuses the configuration of domain {settings.domain_id}: {error}; "
                f"the configuration is {settings.xml}"
            ) from error
        _domains[settings.domain_id] = domain, settings
        trouble = confine(before) if settings.is_local else ""
    if trouble:
        logger.warning(
            "DDS domain %d listens on every address of this machine: %s; docs/security.md tells "
            "how to close it",
            settings.domain_id,
            trouble,
        )
    logger.info(
        "DDS domain %d, discovery range %s; ROS 2 needs the same ROS_AUTOMATIC_DISCOVERY_RANGE "
        "to see it, where its own default is SUBNET",
        settings.domain_id,
        settings.discovery,
    )
