"""Answering service calls: finding what is named, and failing with a reason."""

import logging
from collections.abc import Iterable, Mapping
from typing import TypeVar

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.parameters import ParameterReflection
from controlit_ros.transport import Handler, Later, Transport

_log = logging.getLogger("controlit.services")

_Part = TypeVar("_Part")
_Named = TypeVar("_Named", bound=ParameterReflection)


class UnknownPartError(ControlItError):
    """There is no task, constraint, event or owner of that name; the text has the nearest."""


def serve(transport: Transport, name: str, type_name: str, handler: Handler) -> None:
    """Answer calls; an error becomes `success: false` with its text as `message`.

    One that is not on purpose is logged as well: who waits for an answer gets one at once.
    """

    def answer(request: Message) -> Message | Later:
        try:
            return handler(request)
        except ControlItError as error:
            return new(f"{type_name}_Response", success=False, message=str(error))
        except Exception as error:  # noqa: BLE001 - logged, and whoever waits is told
            _log.exception("the service %s failed", name)
            text = f"an error in the controller: {type(error).__name__}: {error}"
            return new(f"{type_name}_Response", success=False, message=text)

    transport.serve(name, type_name, answer)


def by_name(parts: Iterable[_Named]) -> dict[str, _Named]:
    """Return parts by their names, which are unique within a controller."""
    return {part.name: part for part in parts}


def find(name: str, parts: Mapping[str, _Part], what: str) -> _Part:
    """Return the part of a name.

    Raises:
        UnknownPartError: There is none.
    """
    try:
        return parts[name]
    except KeyError:
        raise UnknownPartError(f"unknown {what} {name!r}{did_you_mean(name, parts)}") from None


def find_or_all(name: str, parts: Mapping[str, _Part], what: str) -> list[_Part]:
    """Return the part of a name, all for an empty one.

    Raises:
        UnknownPartError: There is none.
    """
    return [find(name, parts, what)] if name else list(parts.values())
