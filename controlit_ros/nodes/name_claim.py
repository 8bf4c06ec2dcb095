"""Exclusive claim of a node's namespace, taken before anything of the node is on the network."""

import logging
import os
from contextlib import AbstractContextManager, closing, nullcontext

from controlit_ros.errors import ControlItError
from controlit_ros.robots.channel import ChannelError, ChannelTakenError, ChannelWriter
from controlit_ros.transport import choose_transport
from controlit_ros.transport.domain import DOMAIN_VARIABLE
from controlit_ros.transport.remapping import own_name

LOCAL = "local"
"""Transport within one process, which no other process sees."""

_log = logging.getLogger("controlit.run")


class NameTakenError(ControlItError):
    """Another process of this user runs a node of the same role, namespace and domain."""


def claim_name(
    role: str, namespace: str, transport: str | None = None
) -> AbstractContextManager[object]:
    """Claim a namespace for one process of this user.

    The claim ends with the context, or with the process, however that ends. Enter it before a
    transport is opened: a refused second process then publishes nothing that could be mistaken
    for the state of the first.

    Args:
        role: Default name of the node: `servo` or `simulator`.
        namespace: Of the node, before remapping.
        transport: By name, `None` for the default; the transport `local` needs no claim.

    Raises:
        NameTakenError: Another process has it; the text says which and what to do.
    """
    if choose_transport(transport).name == LOCAL:
        return nullcontext()
    full = own_name(role, namespace).namespace
    domain = os.environ.get(DOMAIN_VARIABLE) or "0"
    try:
        return closing(ChannelWriter(f"{full.strip('/')}.{domain}.{role}", "name claim", 1))
    except ChannelTakenError as error:
        raise NameTakenError(
            f"process {error.owner} already runs {full.rstrip('/')}/{role} in "
            f"{DOMAIN_VARIABLE} {domain}: stop it, or start this one with another name "
            f"(--set name=...) or another {DOMAIN_VARIABLE}"
        ) from None
    except ChannelError as error:  # robots reached by UDP or topics need no shared memory
        _log.warning("a second %s named %s would not be refused: %s", role, full, error)
        return nullcontext()
