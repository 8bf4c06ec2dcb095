"""Parameters as the messages of ROS 2 (rcl_interfaces) have them."""

from typing import Any

from controlit_ros.parameters import Kind, Parameter

NOT_SET, BOOL, INTEGER, DOUBLE, STRING = 0, 1, 2, 3, 4
INTEGER_ARRAY, DOUBLE_ARRAY, STRING_ARRAY = 7, 8, 9
FIELDS = {
    BOOL: "bool_value",
    INTEGER: "integer_value",
    DOUBLE: "double_value",
    STRING: "string_value",
    5: "byte_array_value",
    6: "bool_array_value",
    INTEGER_ARRAY: "integer_array_value",
    DOUBLE_ARRAY: "double_array_value",
    STRING_ARRAY: "string_array_value",
}
_SCALAR_TYPES = {
    Kind.FLOAT: DOUBLE,
    Kind.INTEGER: INTEGER,
    Kind.BOOLEAN: BOOL,
    Kind.TEXT: STRING,
}
_LIST_TYPES = {Kind.FLOAT: DOUBLE_ARRAY, Kind.INTEGER: INTEGER_ARRAY, Kind.TEXT: STRING_ARRAY}


def type_of(parameter: Parameter) -> int:
    """Return the number of a parameter's type."""
    return (_LIST_TYPES if parameter.shape else _SCALAR_TYPES)[parameter.kind]


def value_fields(parameter: Parameter, value: Any) -> dict[str, Any]:
    """Return the fields of a `ParameterValue`.

    Args:
        parameter: Whose value it is.
        value: Plain, as `Parameter.snapshot` returns it.
    """
    kind = type_of(parameter)
    return {"type": kind, FIELDS[kind]: value}
