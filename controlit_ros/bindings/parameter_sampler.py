"""What brings the value of a parameter out of the servo."""

from collections.abc import Callable
from typing import Any

from controlit_ros.arrays import Array
from controlit_ros.bindings.binding_config import BindingConfig
from controlit_ros.parameters import Access, Kind, Parameter
from controlit_ros.servo import Delivery, Sampler


def parameter_sampler(
    config: BindingConfig,
    parameter: Parameter,
    deliver: Callable[[float, Any], None] | Delivery,
    wanted: Callable[[], bool] | None,
) -> Sampler:
    """Return the sampler of an output, the same in the servo's process as where it is delivered.

    Args:
        config: How it is bound.
        parameter: What is bound.
        deliver: Takes stamp [s] and values.
        wanted: Tells whether anybody listens; `None`: always.
    """

    def write_revision(row: Array) -> None:
        row[:] = parameter.revision

    return Sampler(
        parameter.value.size if parameter.is_array else 1,
        write_revision if parameter.kind is Kind.TEXT else parameter,
        deliver,
        rate=config.publish_rate,
        wanted=wanted,
        of=parameter if _is_kept(config, parameter) else None,
    )


def _is_kept(config: BindingConfig, parameter: Parameter) -> bool:
    """Tell whether late subscribers get the value, which changes only when somebody sets it."""
    return config.latched and parameter.access is Access.RUN_TIME
