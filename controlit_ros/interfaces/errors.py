"""What can go wrong with types and messages."""

from controlit_ros.errors import ControlItError


class InterfaceError(ControlItError):
    """Root of the exceptions about message types and messages."""


class UnknownTypeError(InterfaceError):
    """The type book holds no type of that name."""


class DefinitionError(InterfaceError):
    """The text of a message or service definition cannot be read."""


class FieldError(InterfaceError):
    """A value does not fit the field of a message; the text names the field by its path."""


class DecodeError(InterfaceError):
    """Bytes received are not a message of the expected type."""
