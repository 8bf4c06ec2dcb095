"""plain_value: what a controller writes as one line of YAML, as a plain value."""

import re
from copy import deepcopy
from functools import lru_cache
from typing import Any

from controlit_ros.client.client_errors import ClientError
from controlit_ros.configuration.yaml_reader import MAX_ENTRIES, read_yaml

KEPT = 1024  # [#] words: types, states, truths, which are few; and what is neither word nor number
LONGEST = 1000  # [characters] of what is kept
SEPARATOR = ", "

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+(e[-+][0-9]{1,3})?|e[-+][0-9]{1,3})")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,63}|-?\.inf|\.nan")


def plain_value(text: str) -> Any:
    """Return the plain value of a YAML text of the controller.

    It tells hundreds of parameters at a time, nearly all of them numbers, words or lists of them;
    these are read without the machinery that reads anything.

    Raises:
        ClientError: It is none.
    """
    if text == "[]":
        return []
    if text.startswith("[") and text.endswith("]"):
        entries = text[1:-1].split(SEPARATOR, MAX_ENTRIES)
        if len(entries) <= MAX_ENTRIES and all(_is_simple(entry) for entry in entries):
            return [_simple(entry) for entry in entries]
    elif _is_simple(text):
        return _simple(text)
    return deepcopy(_known(text)) if len(text) <= LONGEST else _read(text)


def _is_simple(text: str) -> bool:
    return any(kind.fullmatch(text) for kind in (_NUMBER, _INTEGER, _WORD))


def _simple(text: str) -> Any:
    if _NUMBER.fullmatch(text):
        return float(text)
    return int(text) if _INTEGER.fullmatch(text) else _known(text)


@lru_cache(KEPT)
def _known(text: str) -> Any:
    return _read(text)


def _read(text: str) -> Any:
    document = read_yaml(text)
    if document.problems:
        raise ClientError(f"found {text!r}, expected YAML: {document.problems[0]}")
    return document.data
