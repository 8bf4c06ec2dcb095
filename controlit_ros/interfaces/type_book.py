"""The book of all types a controlit process can speak of."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, cast

import numpy as np
from rosbags.typesys.store import Typestore

from controlit_ros.errors import did_you_mean
from controlit_ros.share import PACKAGE, share_directory

from .action_definition import parse_action
from .decoder import Decoder
from .definition import (
    Constant,
    MessageDefinition,
    ServiceDefinition,
    parse_service,
)
from .encoder import Encoder
from .errors import DecodeError, DefinitionError, FieldError, UnknownTypeError
from .field_type import Cardinality, FieldType
from .maker import Maker, join
from .message import Message, message_class
from .message_packages import message_packages
from .read_definitions import ReadDefinitions, cached_definitions
from .ros_texts import ACTIONS, MESSAGES, SERVICES
from .sourced_texts import sourced_text
from .type_hash import HashedTypes, describe, event_definition


class TypeBook:
    """Message and service types by name: make messages, encode and decode them.

    It holds the types of ROS 2 Jazzy that rosbags knows, those listed in `ros_texts`, as the ROS 2
    that is sourced has them or else as there, and the types of this project and of installed
    packages, read from their `msg`, `srv` and `action` folders. Classes and codecs are made when a
    type is first used; `prepare_writing` and `prepare_reading` do it ahead of time.

    On the wire is XCDR1, little-endian, with its 4-byte header, as ROS 2 sends it.
    """

    def __init__(self, share: Path | None = None) -> None:
        """Read all definitions; `share` replaces the project's own share directory."""
        self._read_before = ReadDefinitions(cached_definitions())
        self._messages = {found.name: found for found in self._read_before.standard()}
        self._services: dict[str, ServiceDefinition] = {}
        self._hashes: dict[str, str] = {}
        self._hashing = Typestore()
        self._hashing.fielddefs = HashedTypes(self._messages, self._services)
        self._decoder = Decoder()
        self._encoder = Encoder(self._messages)
        self._classes = _Classes(self._messages)
        self._decoder.types = self._classes
        self._maker = Maker(self._messages, self._classes)
        for definition in self._messages.values():
            self._register(definition)
        for name, text in {**MESSAGES, **SERVICES, **ACTIONS}.items():
            self._define(name, sourced_text(name) or text)
        self._read_what_is_referred_to()
        self._read(PACKAGE, share_directory() if share is None else share)
        for package, folder in message_packages().items():
            self._read(package, folder)
        for definition in self._messages.values():
            self._check_references(definition)
        self._read_before.keep()

    def _read(self, package: str, folder: Path) -> None:
        for kind in ("msg", "srv", "action"):
            for path in sorted((folder / kind).glob(f"*.{kind}")):
                self._define(f"{package}/{kind}/{path.stem}", path.read_text(encoding="utf-8"))

    def _read_what_is_referred_to(self) -> None:
        """Read types that only definitions of another distribution refer to."""
        waiting = list(self._messages.values())
        while waiting:
            for field in waiting.pop().fields.values():
                if field.nested and field.base not in self._messages:
                    text = sourced_text(field.base)
                    waiting += [] if text is None else self._define(field.base, text)

    def define(self, name: str, text: str) -> None:
        """Add a message, service or action type.

        Args:
            name: full name, `package/msg/Name`, `package/srv/Name` or `package/action/Name`.
            text: content of its `.msg`, `.srv` or `.action` file.

        Raises:
            DefinitionError: the text cannot be read, has fields of unknown types, or the name has
                another definition already.
        """
        for definition in self._define(name, text):
            self._check_references(definition)

    @property
    def message_types(self) -> list[str]:
        """Names of all message types."""
        return sorted(self._messages)

    @property
    def service_types(self) -> list[str]:
        """Names of all service types."""
        return sorted(self._services)

    def definition(self, type_name: str) -> MessageDefinition:
        """Return fields and constants of a message type.

        Raises:
            UnknownTypeError: there is no such type.
        """
        try:
            return self._messages[type_name]
        except KeyError:
            raise UnknownTypeError(
                f"unknown message type {type_name!r}{did_you_mean(type_name, self._messages)}"
            ) from None

    def service(self, type_name: str) -> ServiceDefinition:
        """Return the request and response types of a service type.

        Raises:
            UnknownTypeError: there is no such type.
        """
        try:
            return self._services[type_name]
        except KeyError:
            raise UnknownTypeError(
                f"unknown service type {type_name!r}{did_you_mean(type_name, self._services)}"
            ) from None

    def constants(self, type_name: str) -> Mapping[str, Constant]:
        """Return the constants of a message type."""
        return self.definition(type_name).constants

    def type_hash(self, type_name: str) -> str:
        """Return the type hash `RIHS01_...` of a message or service type (REP-2011)."""
        if type_name not in self._hashes:
            if type_name not in self._services:
                self.definition(type_name)  # or there is no such type
            self._hashes[type_name] = self._hashing.hash_rihs01(type_name)
        return self._hashes[type_name]

    def message_text(self, type_name: str) -> str:
        """Return the fields of a message type and of all types it contains, as bags hold them.

        Raises:
            UnknownTypeError: there is no such type.
        """
        text, _ = self._decoder.generate_msgdef(self.definition(type_name).name, ros_version=2)
        return text

    def new(self, type_name: str, **fields: Any) -> Message:
        """Make a message; fields not given have their default.

        Args:
            type_name: full name of the message type.
            **fields: values by field: a message or a mapping for a nested message, anything
                array-like for numbers, also lists of these for sequences of messages; for a
                sequence of vectors, as points are, an array with a row for each.

        Raises:
            UnknownTypeError: there is no such type.
            FieldError: a field does not exist or a value does not fit it.
        """
        return self.from_dict(type_name, fields)

    def from_dict(self, type_name: str, values: Mapping[str, Any]) -> Message:
        """Make a message from plain values; the inverse of `to_dict`.

        Raises:
            UnknownTypeError: there is no such type.
            FieldError: a field does not exist or a value does not fit it; the text has the path.
        """
        return self._maker.make(self.definition(type_name), values, "")

    def to_dict(self, message: Message) -> dict[str, Any]:
        """Return the message as plain values: dictionaries, lists, numbers and strings."""
        return {
            name: self._plain(getattr(message, name), field)
            for name, field in self._messages[message.__type_name__].fields.items()
        }

    def encode(self, type_name: str, message: Message) -> bytes:
        """Return the message as it goes over the wire.

        Arrays of numbers may have been assigned to the message as lists or with another dtype.

        Raises:
            UnknownTypeError: there is no such type.
            FieldError: the message has another type or a value does not fit its field.
        """
        if type(message) is not self._classes.get(type_name):
            self._refuse_class(type_name, message)
        try:
            return self._encoder.encode(type_name, message)
        except Exception as error:
            self._find_fault(message)
            raise FieldError(f"{type_name}: cannot be encoded: {error}") from error

    def decode(
        self, type_name: str, data: bytes | memoryview, *, may_go_on: bool = False
    ) -> Message:
        """Return the message that the bytes hold; its arrays are read-only views of them.

        Args:
            type_name: Of the message.
            data: CDR with its header, padded by 3 bytes at most.
            may_go_on: Whether more bytes may follow, which mean nothing.

        Raises:
            UnknownTypeError: there is no such type.
            DecodeError: the bytes are not such a message.
        """
        self.definition(type_name)
        read = self._decoder.deserialize_begin if may_go_on else self._decoder.deserialize_cdr
        try:
            return cast("Message", read(data, type_name))
        except Exception as error:
            raise DecodeError(
                f"{len(data)} bytes are no {type_name}: {error or type(error).__name__}"
            ) from error

    def prepare_writing(self, type_name: str) -> bytes:
        """Make the class of a type and what encodes it, which takes its time, before it is needed.

        Returns:
            A message of defaults.
        """
        return self.encode(type_name, self.new(type_name))

    def prepare_reading(self, type_name: str) -> None:
        """Make also what decodes a type, which takes milliseconds, before it is needed."""
        self.decode(type_name, self.prepare_writing(type_name))

    def _define(self, name: str, text: str) -> list[MessageDefinition]:
        parts = name.split("/")
        if len(parts) != 3 or parts[1] not in {"msg", "srv", "action"} or not all(parts):
            raise DefinitionError(f"{name!r} is no type name, expected 'package/msg/Name'")
        if parts[1] == "msg":
            added = [self._read_before.message(name, text)]
        elif parts[1] == "action":
            action = parse_action(name, text, self._read_before.message)
            added = [*action.messages, *map(event_definition, action.services)]
            self._services.update((service.name, service) for service in action.services)
        else:
            service = ServiceDefinition(name)
            added = [
                *parse_service(name, text, self._read_before.message),
                event_definition(service),
            ]
            self._services[name] = service
        for definition in added:
            self._add(definition)
        return added

    def _add(self, definition: MessageDefinition) -> None:
        known = self._messages.get(definition.name)
        if known is None:
            self._messages[definition.name] = definition
            self._register(definition)
        elif dict(known.fields) != dict(definition.fields):
            raise DefinitionError(f"{definition.name} has another definition already")

    def _register(self, definition: MessageDefinition) -> None:
        fields = definition.fields.items()
        wire = [  # a `byte` is signed to rosbags, to ROS 2 it is not
            (name, describe(replace(field, base="uint8") if field.base == "byte" else field))
            for name, field in fields
        ]
        self._decoder.fielddefs[definition.name] = ([], wire)

    def _check_references(self, definition: MessageDefinition) -> None:
        for name, field in definition.fields.items():
            if field.nested and field.base not in self._messages:
                raise DefinitionError(
                    f"{definition.name}.{name} has the unknown type {field.base!r}"
                    f"{did_you_mean(field.base, self._messages)}"
                )

    def _plain(self, value: Any, field: FieldType) -> Any:
        if field.nested:
            if field.cardinality is Cardinality.SCALAR:
                return self.to_dict(value)
            return [self.to_dict(item) for item in value]
        if isinstance(value, np.ndarray):
            return value.tolist()
        if field.cardinality is not Cardinality.SCALAR:
            return list(value)
        return value.item() if isinstance(value, np.generic) else value

    def _refuse_class(self, type_name: str, message: Message) -> None:
        self.definition(type_name)
        found = getattr(message, "__type_name__", type(message).__name__)
        if found != type_name:
            raise FieldError(f"found a message of type {found}, expected {type_name}")

    def _find_fault(self, message: Message) -> None:
        """Raise the error that names the path of the value which does not fit."""
        values = {name: getattr(message, name) for name in message.__field_names__}
        for path, value, field in self._walk(values, message.__type_name__, ""):
            self._maker.value(value, field, path)

    def _walk(
        self, values: Mapping[str, Any], type_name: str, path: str
    ) -> Iterator[tuple[str, Any, FieldType]]:
        for name, field in self._messages[type_name].fields.items():
            here = join(path, name)
            value = values[name]
            yield here, value, field
            if field.nested:
                scalar = field.cardinality is Cardinality.SCALAR
                for index, item in enumerate([value] if scalar else value):
                    inner = {key: getattr(item, key) for key in item.__field_names__}
                    yield from self._walk(inner, field.base, here if scalar else f"{here}[{index}]")


class _Classes(dict[str, Any]):
    """The classes of messages by type name, each made when first asked for."""

    def __init__(self, messages: Mapping[str, MessageDefinition]) -> None:
        super().__init__()
        self._definitions = messages
        self._lock = Lock()

    def __missing__(self, name: str) -> type[Message]:
        with self._lock:  # two threads must not make two classes of one type
            if name not in self:
                self[name] = message_class(self._definitions[name])
            return cast("type[Message]", self.get(name))
