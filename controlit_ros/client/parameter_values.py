"""Values of parameters as ROS 2's parameter services carry them."""

from typing import Any, NamedTuple

from controlit_ros.interfaces import Message, to_dict


class ValueType(NamedTuple):
    """A type of `rcl_interfaces/msg/ParameterType`.

    Attributes:
        name: What users call it.
        field: Field of `ParameterValue` that holds it.
    """

    name: str
    field: str


VALUE_TYPES = {
    1: ValueType("bool", "bool_value"),
    2: ValueType("integer", "integer_value"),
    3: ValueType("double", "double_value"),
    4: ValueType("string", "string_value"),
    5: ValueType("byte array", "byte_array_value"),
    6: ValueType("bool array", "bool_array_value"),
    7: ValueType("integer array", "integer_array_value"),
    8: ValueType("double array", "double_array_value"),
    9: ValueType("string array", "string_array_value"),
}


def plain_parameter(value: Message) -> Any:
    """Return a `ParameterValue` as plain Python, `None` where nothing is set."""
    kind = VALUE_TYPES.get(value.type)
    return None if kind is None else to_dict(value)[kind.field]
