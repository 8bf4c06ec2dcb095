"""The domain of ROS: who is in another one is neither seen nor heard."""

from contextlib import AbstractContextManager

from controlit_ros.environment import variable_set

DOMAIN_VARIABLE = "ROS_DOMAIN_ID"


def in_domain(domain: str) -> AbstractContextManager[None]:
    """Let transports that are opened and processes that are started meanwhile be in a domain.

    Args:
        domain: Its number, as the environment has it.
    """
    return variable_set(DOMAIN_VARIABLE, domain)
