"""What is told of a handler of a service that raised instead of answering."""

import logging

from controlit_ros.errors import ControlItError


def tell_failure(logger: logging.Logger, service: str, error: Exception) -> None:
    """Log why a service did not answer; where to look for it only if nobody foresaw the error."""
    if isinstance(error, ControlItError):
        logger.error("%s cannot answer: %s", service, error)
    else:
        logger.error("the handler of %s failed", service, exc_info=error)
