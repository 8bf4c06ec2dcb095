"""Parameters, their reflection, and events over them."""

from controlit_ros.parameters.mailbox import Batch, Mailbox
from controlit_ros.parameters.parameter import Access, Kind, Parameter, ParameterError, Reader
from controlit_ros.parameters.reflection import ParameterDirectory, ParameterReflection

__all__ = [
    "Access",
    "Batch",
    "Kind",
    "Mailbox",
    "Parameter",
    "ParameterDirectory",
    "ParameterError",
    "ParameterReflection",
    "Reader",
]
