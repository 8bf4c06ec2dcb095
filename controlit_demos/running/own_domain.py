"""own_domain: where a demonstration talks, so that it never meets a robot."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from controlit_ros.transport.domain import DOMAIN_VARIABLE, in_domain

DOMAINS = range(1, 100)  # those whose ports no system hands out to others


@contextmanager
def own_domain() -> Iterator[None]:
    """Talk in a domain of our own, unless the user chose one."""
    if os.environ.get(DOMAIN_VARIABLE):
        yield
        return
    with in_domain(str(DOMAINS[os.getpid() % len(DOMAINS)])):
        yield
