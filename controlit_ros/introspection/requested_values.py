"""Parameters and values that come as names and texts."""

from collections.abc import Sequence
from typing import Any

from controlit_ros.configuration.yaml_reader import read_yaml
from controlit_ros.parameters import Parameter, ParameterDirectory, ParameterError


def requested_values(
    names: Sequence[str], texts: Sequence[str], directory: ParameterDirectory
) -> dict[Parameter, Any]:
    """Return plain values by parameter.

    Args:
        names: Full names, each once.
        texts: Their values as YAML, in the same order.
        directory: Where they are looked up.

    Raises:
        ParameterError: A name is not there or there twice, or a text is no YAML.
    """
    if len(names) != len(texts):
        raise ParameterError(f"found {len(names)} names and {len(texts)} values, expected as many")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ParameterError(f"{', '.join(twice)}: found twice, expected once")
    return {
        directory[name]: plain_value(name, text) for name, text in zip(names, texts, strict=True)
    }


def plain_value(name: str, text: str) -> Any:
    """Return the plain value of a YAML text.

    Raises:
        ParameterError: It is none.
    """
    document = read_yaml(text)
    if document.problems:
        raise ParameterError(f"{name}: found {text!r}, expected YAML: {document.problems[0]}")
    return document.data
