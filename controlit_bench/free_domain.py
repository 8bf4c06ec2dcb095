"""A domain that nobody on this machine is in."""

import random
import socket

from controlit_ros.errors import ControlItError

HIGHEST_DOMAIN = 101  # [-] ports of higher domains may be in use on Linux
PORT_BASE, DOMAIN_GAIN, PARTICIPANT_GAIN, DISCOVERY_OFFSET = 7400, 250, 2, 10  # of RTPS
PARTICIPANTS = 10  # [-] looked for: whoever is in a domain took one of the first places


def free_domain() -> int:
    """Return the number of a domain no process is in now, nor was this one.

    A domain that this process has opened once stays open with its first settings.

    Raises:
        ControlItError: There are processes in every domain.
    """
    for domain in random.sample(range(1, HIGHEST_DOMAIN + 1), HIGHEST_DOMAIN):
        if _is_free(domain):
            return domain
    raise ControlItError(f"there are processes in every domain from 1 to {HIGHEST_DOMAIN}")


def _is_free(domain: int) -> bool:
    first = PORT_BASE + DOMAIN_GAIN * domain + DISCOVERY_OFFSET
    for port in range(first, first + PARTICIPANT_GAIN * PARTICIPANTS, PARTICIPANT_GAIN):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("0.0.0.0", port))  # noqa: S104 - nothing is received
            except OSError:
                return False
    return True
