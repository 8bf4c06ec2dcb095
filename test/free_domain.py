"""A DDS domain of one's own, so that suites and controllers side by side do not mix."""

import os
import random
import socket

HIGHEST_SAFE_DOMAIN = 101
"""Ports of higher domains may be in use by ordinary programs on Linux."""

PORT_BASE, DOMAIN_GAIN, PARTICIPANT_GAIN, DISCOVERY_OFFSET = 7400, 250, 2, 10  # of RTPS
PARTICIPANTS = 10  # [-] looked for: whoever is in a domain took one of the first places

TAG = f"test-{os.getpid()}"
ISOLATION = f"<CycloneDDS><Domain><Discovery><Tag>{TAG}</Tag></Discovery></Domain></CycloneDDS>"
"""Hides the processes of this run of the suite from all that join one of its domains later."""


def free_domain() -> int:
    """Return a number in whose domain no process of this machine is now."""
    for domain in random.sample(range(1, HIGHEST_SAFE_DOMAIN + 1), HIGHEST_SAFE_DOMAIN):
        if _is_free(domain):
            return domain
    raise AssertionError("there are processes in every domain")


def domain_environment(domain: int | str) -> dict[str, str]:
    """Return the variables with which processes of this run meet in a domain, and nobody else."""
    return {"ROS_DOMAIN_ID": str(domain), "CYCLONEDDS_URI": ISOLATION}


def _is_free(domain: int) -> bool:
    first = PORT_BASE + DOMAIN_GAIN * domain + DISCOVERY_OFFSET
    for port in range(first, first + PARTICIPANT_GAIN * PARTICIPANTS, PARTICIPANT_GAIN):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                return False
    return True
