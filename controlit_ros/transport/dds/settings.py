"""Configuration of Cyclone DDS from the environment variables of ROS 2."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape  # xml.sax.saxutils would import HTTP

from controlit_ros.errors import did_you_mean
from controlit_ros.transport.errors import TransportError

logger = logging.getLogger(__name__)

HIGHEST_DOMAIN_ID = 232
"""Beyond that the port numbers of DDS exceed 65535."""

MAX_PARTICIPANT_INDEX = 120
"""Processes on one machine; each costs the others one small packet per announcement."""

LEASE = "10s"
"""As in ROS 2: who is silent for longer is taken for dead and loses its matches, so a busy machine
must not starve a process for that long. A killed process leaves the graph after 9.7 s."""

LINGER = "0s"
"""Closing takes 5 ms instead of 200 ms; who needs an answer waits for it."""

LOCALHOST = "LOCALHOST"

_RANGES = (LOCALHOST, "SUBNET", "OFF", "SYSTEM_DEFAULT")


@dataclass(frozen=True)
class DdsSettings:
    """Where to look for other nodes.

    Attributes:
        domain_id: nodes of different domains do not see each other.
        xml: configuration for Cyclone DDS, fragments separated by commas.
        discovery: the range it stands for, in the words of ROS 2.
        is_local: whether nobody on other machines is meant to be heard.
    """

    domain_id: int
    xml: str
    discovery: str = LOCALHOST
    is_local: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "DdsSettings":
        """Read ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, CYCLONEDDS_URI.

        The discovery range is LOCALHOST unless the environment says otherwise: nodes of a robot
        must be asked before they talk to a network. CYCLONEDDS_URI overrides single settings.

        Raises:
            TransportError: a variable has a value that means nothing.
        """
        discovery = environment.get("ROS_AUTOMATIC_DISCOVERY_RANGE") or LOCALHOST
        if discovery not in _RANGES:
            raise TransportError(
                f"ROS_AUTOMATIC_DISCOVERY_RANGE: found {discovery!r}"
                f"{did_you_mean(discovery, _RANGES)}"
            )
        _check_security(environment)
        peers = [peer for peer in environment.get("ROS_STATIC_PEERS", "").split(";") if peer]
        fragments = [_fragment(discovery, peers), environment.get("CYCLONEDDS_URI", "")]
        return cls(
            _domain_id(environment.get("ROS_DOMAIN_ID") or "0"),
            ",".join(fragment for fragment in fragments if fragment),
            discovery,
            is_local=discovery == LOCALHOST and not peers,
        )


def _check_security(environment: Mapping[str, str]) -> None:
    """Refuse to be open where only closed participants are wanted."""
    if environment.get("ROS_SECURITY_ENABLE") != "true":
        return
    text = (
        "found ROS_SECURITY_ENABLE=true, but the transport dds knows no DDS Security: with the "
        "transport rclpy ROS 2 itself has it (docs/security.md)"
    )
    if environment.get("ROS_SECURITY_STRATEGY") == "Enforce":
        raise TransportError(text)
    logger.warning("%s; everybody in the domain can command this controller", text)


def _domain_id(text: str) -> int:
    if not text.isdecimal() or int(text) > HIGHEST_DOMAIN_ID:
        raise TransportError(
            f"ROS_DOMAIN_ID: found {text!r}, expected a number from 0 to {HIGHEST_DOMAIN_ID}"
        )
    return int(text)


def _fragment(discovery: str, peers: list[str]) -> str:
    general, addresses = "", list(peers)
    if discovery == LOCALHOST:
        addresses.insert(0, "127.0.0.1")
        general = "<AllowMulticast>false</AllowMulticast>"
        if not peers:
            general += '<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
    elif discovery == "OFF":
        addresses = []
        general = "<AllowMulticast>false</AllowMulticast>"
    elif discovery == "SYSTEM_DEFAULT":
        addresses = []
    peer_list = "".join(f'<Peer address="{escape(address)}"/>' for address in addresses)
    return (
        "<CycloneDDS><Domain>"
        f"<General>{general}</General>"
        "<Discovery>"
        "<ParticipantIndex>auto</ParticipantIndex>"
        f"<MaxAutoParticipantIndex>{MAX_PARTICIPANT_INDEX}</MaxAutoParticipantIndex>"
        f"<Peers>{peer_list}</Peers>"
        f"<LeaseDuration>{LEASE}</LeaseDuration>"
        "</Discovery>"
        f"<Internal><WriterLingerDuration>{LINGER}</WriterLingerDuration></Internal>"
        "</Domain></CycloneDDS>"
    )
