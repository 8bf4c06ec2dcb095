"""Errors that name the parameter whose value led to them."""

from collections.abc import Iterator
from contextlib import contextmanager

from controlit_ros.errors import ControlItError
from controlit_ros.parameters.parameter import Parameter, ParameterError


@contextmanager
def blaming(parameter: Parameter) -> Iterator[None]:
    """Name a parameter in what a block finds wrong with its value.

    Raises:
        ParameterError: The block raised one of this project's errors.
    """
    try:
        yield
    except ControlItError as error:
        raise ParameterError(f"{parameter.full_name}: {error}") from None
