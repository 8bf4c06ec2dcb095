"""flow_text: values of parameters as one line of YAML."""

from functools import lru_cache
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

NO_DIGITS = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
KEPT = 1024  # [-] texts of texts: types, bodies, states, which are few


def flow_text(value: Any) -> str:
    """Return a plain value as one line of YAML.

    A controller tells hundreds of parameters at a time, nearly all of them numbers or words;
    these are written without the machinery that writes anything.
    """
    if isinstance(value, str):
        return _word(value)
    quick = _numbers(value) if isinstance(value, list) else _number(value)
    return _written(value) if quick is None else quick


def _numbers(values: list[Any]) -> str | None:
    """Return a list of numbers, `None` where that is no matter of putting them in a row."""
    texts = [_number(value) for value in values]
    if None in texts:
        return None
    return f"[{', '.join(text for text in texts if text is not None)}]"


def _number(value: Any) -> str | None:
    """Return a number or truth, `None` if its text has anything special."""
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        text = repr(value)
        is_usual = not text.strip("-0123456789.")  # not 1e-05
        return text if is_usual else NO_DIGITS.get(text)
    return None


@lru_cache(KEPT)
def _word(value: str) -> str:
    return _written(value)


def _written(value: Any) -> str:
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = True
    yaml.width = 1_000_000
    stream = StringIO()
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n").strip()
