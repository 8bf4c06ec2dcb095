"""Names that others take from the room `bindings`, at once."""

from controlit_ros.bindings.binding import Binding
from controlit_ros.bindings.binding_config import BindingConfig, Direction
from controlit_ros.bindings.binding_factory import BindingContext, BindingFactory
from controlit_ros.bindings.binding_manager import (
    BindingError,
    BindingManager,
    contact_bindings,
    default_bindings,
)
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.conversion_type import Conversion

__all__ = [
    "Binding",
    "BindingConfig",
    "BindingContext",
    "BindingError",
    "BindingFactory",
    "BindingManager",
    "Conversion",
    "ConversionError",
    "Direction",
    "contact_bindings",
    "default_bindings",
]
