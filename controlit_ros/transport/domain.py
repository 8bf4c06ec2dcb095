"""The domain of ROS: who is in another one is neither seen nor heard."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

DOMAIN_VARIABLE = "ROS_DOMAIN_ID"


@contextmanager
def in_domain(domain: str) -> Iterator[None]:
    """Let transports that are opened and processes that are started meanwhile be in a domain.

    Args:
        domain: Its number, as the environment has it.
    """
    before = os.environ.get(DOMAIN_VARIABLE)
    os.environ[DOMAIN_VARIABLE] = domain
    try:
        yield
    finally:
        if before is None:
            del os.environ[DOMAIN_VARIABLE]
        else:
            os.environ[DOMAIN_VARIABLE] = before
