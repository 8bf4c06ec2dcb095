"""One named value of the controller: typed, shaped, bounded and described."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.errors import ControlItError, did_you_mean, show

LARGEST = 1e30  # [SI] no quantity of a robot is near it, and products of a few stay finite
HALF_TURN = math.pi + 1e-9  # [rad] with what rounding adds


class ParameterError(ControlItError):
    """A value does not fit its parameter; the text names both and what was expected."""


class Kind(Enum):
    """What a parameter holds."""

    FLOAT = "float"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"


class Access(Enum):
    """Who may change a parameter, and when."""

    CONFIGURATION = "configuration"
    """Set by the configuration file; fixed once its owner is configured."""
    RUN_TIME = "run time"
    """Set by the file and, between two cycles, by bindings and services."""
    OUTPUT = "output"
    """Written by the controller itself; read by everybody else."""


class Reader(Enum):
    """Which thread reads a parameter while it computes: it may only change when that one rests."""

    SERVO = "servo"
    TASK_UPDATER = "task updater"
    MODEL_UPDATER = "model updater"


_SCALARS: dict[Kind, tuple[type, ...]] = {
    Kind.FLOAT: (int, float, np.integer, np.floating),
    Kind.INTEGER: (int, np.integer),
    Kind.BOOLEAN: (bool, np.bool_),
    Kind.TEXT: (str,),
}
_PYTHON: dict[Kind, type] = {
    Kind.FLOAT: float,
    Kind.INTEGER: int,
    Kind.BOOLEAN: bool,
    Kind.TEXT: str,
}


class Quantity(Enum):
    """What a vector means, so that transports can choose a fitting message."""

    PLAIN = "plain"
    POINT = "point"
    VECTOR = "vector"
    QUATERNION = "quaternion"
    POSE = "pose"
    """A position, then a quaternion xyzw."""
    PLANAR_TWIST = "planar twist"
    """Velocity over the ground: forward, to the left, then turning about z."""
    FOOTSTEPS = "footsteps"
    """Rows of five numbers: 1 (left foot) or -1 (right), x, y, z, yaw; zeros: no step."""

    @property
    def turns(self) -> bool:
        """Whether the last four numbers are a quaternion."""
        return self in (Quantity.QUATERNION, Quantity.POSE)


class Patch(NamedTuple):
    """Some entries of a vector, so that those not named keep whatever value they have by then.

    Attributes:
        indices: Which entries `(n,)`.
        values: Their values `(n,)`.
    """

    indices: Indices
    values: Array


class Parameter:
    """A declared value.

    Numeric vectors are NumPy arrays whose memory never moves, so a computation may keep a
    reference to `value` and a later `assign` is seen by it. A shape entry of `None` is a free
    length; such values are tuples.

    Attributes:
        name: Name within its owner, as written in configuration files.
        value: The present value: a `float64` array for vectors, a tuple for other lists, or a
            Python scalar.
        revision: Counts assignments, so that observers can see changes cheaply.
        stated: Whether a user gave the value, by file, topic or service.
        fits: Checks at run time that values proposed for this and other parameters fit together,
            and raises `ParameterError` if not; see `Mailbox.post`.
        implies: Returns what else changes at run time with values proposed for this and other
            parameters, valid already; raises `ParameterError` if they contradict each other.
        is_array: Whether the value is a NumPy array.
        memory: The array where the value stands until `rebind`, if kernels compute with it.
        width: Numbers in a row that can hold every value; 0: there is no such row.
        changes: Counts the assignments to all parameters, so that what is derived from many can be
            renewed when one changed.
        moves: Counts all `rebind`.
        turning: Indices of the entries that are angles of joints without limits; see
            `choose_turns`.
        rate: What moves with a sample of a path: together with it a value is taken as it is.
    """

    changes: ClassVar[int] = 0
    moves: ClassVar[int] = 0

    __slots__ = (
        "access",
        "broadcast",
        "choices",
        "default",
        "description",
        "fits",
        "implies",
        "is_array",
        "kind",
        "labels",
        "lower",
        "memory",
        "name",
        "owner",
        "quantity",
        "rate",
        "reader",
        "revision",
        "shape",
        "stated",
        "turning",
        "unit",
        "unit_length",
        "upper",
        "value",
        "width",
    )

    def __init__(
        self,
        name: str,
        default: Any,
        *,
        owner: str = "",
        kind: Kind | None = None,
        shape: tuple[int | None, ...] = (),
        unit: str = "",
        description: str = "",
        lower: float | None = None,
        upper: float | None = None,
        choices: Sequence[str] = (),
        labels: Sequence[str] = (),
        broadcast: bool = False,
        unit_length: bool = False,
        quantity: Quantity = Quantity.PLAIN,
        access: Access = Access.RUN_TIME,
        reader: Reader = Reader.SERVO,
        memory: Array | None = None,
        turning: Sequence[int] = (),
    ) -> None:
        self.memory = memory
        self.turning = tuple(turning)
        self.rate: Parameter | None = None
        self.name = name
        self.owner = owner
        self.kind = _kind_of(default) if kind is None else kind
        self.shape = shape
        self.is_array = self.kind is Kind.FLOAT and bool(shape) and None not in shape
        self.unit = unit
        self.description = description
        self.lower = lower
        self.upper = upper
        self.choices = tuple(choices)
        self.labels = tuple(labels)
        self.broadcast = broadcast
        self.unit_length = unit_length
        self.quantity = quantity
        self.access = access
        self.reader = reader
        self.revision = 0
        self.stated = False
        self.fits: Callable[[Mapping[Parameter, Any]], None] | None = None
        self.implies: Callable[[Mapping[Parameter, Any]], Mapping[Parameter, Any]] | None = None
        self.value: Any = None
        if self.is_array:
            self.value = np.zeros(shape)
            self.width: int = self.value.size
        else:
            self.width = 0 if shape or (self.kind is Kind.TEXT and not choices) else 1
        self.assign(self.validate(default))
        self.default = self.snapshot()

    @property
    def full_name(self) -> str:
        """`owner.name`, the name used by bindings, events and services."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def is_single(self) -> bool:
        """Whether the value is a list or vector of one entry, which needs no brackets."""
        return bool(self.shape) and all(n == 1 for n in self.shape)

    @property
    def expected(self) -> str:
        """What a value must look like, for messages: "3 finite numbers [m]"."""
        if self.shape == ():
            text = {
                Kind.FLOAT: "a finite number",
                Kind.INTEGER: "an integer",
                Kind.BOOLEAN: "true or false",
                Kind.TEXT: "a text",
            }[self.kind]
        elif None in self.shape:
            text = f"a list of {self.kind.value}s"
            if self.broadcast:
                text += " or one"
        else:
            text = self._expected_numbers()
        if self.unit:
            text += f" [{self.unit}]"
        if self.lower is not None:
            text += f" >= {self.lower:g}"
        if self.upper is not None:
            text += f" <= {self.upper:g}"
        if self.choices:
            text += " out of " + ", ".join(self.choices)
        return text

    def _expected_numbers(self) -> str:
        if self.is_single:
            text = "a finite number" if self.kind is Kind.FLOAT else f"one {self.kind.value}"
        else:
            size = " x ".join(str(n) for n in self.shape)
            name = "finite number" if self.kind is Kind.FLOAT else self.kind.value
            text = f"{size} {name}s" + (" or one for all" if self.broadcast else "")
        return text + (" or a map by name" if self._takes_map else "")

    def validate(self, value: Any) -> Any:
        """Return `value` in the form `assign` takes, leaving this parameter as it is.

        Raises:
            ParameterError: The value has another type, shape or range.
        """
        if self.is_array:
            return self._validate_array(value)
        if self.shape:
            return self._validate_list(value)
        single = isinstance(value, np.ndarray) and value.size == 1
        if single and self.kind is Kind.FLOAT and value.dtype.kind in "iuf":
            value = value.item()
        return self._checked(self._entry(value, value))

    def after(self, value: Any, before: Array | None = None) -> Any:
        """Return what the value would be after `accept`; a new array.

        Args:
            value: As `validate` returned it; `None`: as it is now.
            before: What an array holds then, if not the present value.
        """
        if not self.is_array:
            return self.value if value is None else value
        present = self.value if before is None else before
        result = self.overlaid(value, present)
        self.choose_turns(result, present)
        return result

    def overlaid(self, value: Any, before: Array) -> Array:
        """Return what an array would be after `assign`; a new array.

        Args:
            value: As `validate` returned it; `None`: as before.
            before: What it holds before.
        """
        result: Array = before.copy()
        if isinstance(value, Patch):
            result[value.indices] = value.values
        elif value is not None:
            np.copyto(result, value)
        return result

    def choose_turns(self, values: Array, before: Array) -> bool:
        """Replace angles of joints without limits by their equivalents next to the present ones.

        An angle of half a turn at most says where the joint points, so any whole turns may be added
        to it; a larger one says how many turns the joint has made, and stays.

        Args:
            values: As the array of this parameter; changed in place.
            before: Where the joints are or shall be at present.

        Returns:
            Whether one changed.
        """
        is_changed = False
        for i in self.turning:
            turns = whole_turns(float(values[i]), float(before[i]))
            if turns:
                values[i] += turns
                is_changed = True
        return is_changed

    def assign(self, value: Any) -> None:
        """Take over a value that `validate` returned; no checks, no allocation for arrays."""
        if self.is_array and not self.value.flags.writeable:  # a plugin locked it
            self.value.flags.writeable = True
        if isinstance(value, Patch):
            self.value[value.indices] = value.values
        elif self.is_array:
            np.copyto(self.value, value)
        else:
            self.value = value
        self.revision += 1
        Parameter.changes += 1

    def accept(self, value: Any) -> None:
        """Assign a goal whose angles may leave whole turns open (`choose_turns`), or any value."""
        self.assign(self.after(value) if self.turning else value)

    def rebind(self, memory: Array) -> None:
        """Move a vector into other memory of the same size; before anything refers to `value`."""
        moved = memory.reshape(self.value.shape)
        np.copyto(moved, self.value)
        self.value = self.memory = moved
        Parameter.moves += 1

    def set(self, value: Any) -> None:
        """Validate and assign.

        Raises:
            ParameterError: The value does not fit or the parameter is an output.
        """
        if self.access is Access.OUTPUT:
            raise ParameterError(f"{self.full_name} is an output of the controller, not an input")
        self.accept(self.validate(value))
        self.stated = True

    def snapshot(self) -> Any:
        """Return a copy of the value as plain Python (lists, numbers, texts)."""
        if self.is_array:
            return self.value.tolist()
        if isinstance(self.value, np.generic):  # outputs are assigned unvalidated
            return self.value.item()
        return list(self.value) if isinstance(self.value, tuple) else self.value

    def __repr__(self) -> str:
        return f"Parameter({self.full_name!r}, {self.snapshot()!r})"

    def _error(self, value: Any, why: str = "") -> ParameterError:
        detail = f" ({why})" if why else ""
        return ParameterError(
            f"{self.full_name}: found {show(value)}{detail}, expected {self.expected}"
        )

    def _entry(self, entry: Any, value: Any, why: str = "") -> Any:
        """Return a number, boolean or text, alone or of a value of many, as Python's own."""
        if type(entry) is float and self.kind is Kind.FLOAT:
            return entry
        is_boolean = isinstance(entry, (bool, np.bool_))
        is_kind = is_boolean == (self.kind is Kind.BOOLEAN)
        if not is_kind or not isinstance(entry, _SCALARS[self.kind]):
            raise self._error(value, why)
        if isinstance(entry, int) and abs(entry) > sys.float_info.max:
            raise self._error(entry, "too large for a number")
        return _PYTHON[self.kind](entry)

    def _checked(self, entry: Any) -> Any:
        """Return an entry that is within its choices or bounds."""
        if self.kind is Kind.TEXT and self.choices and entry not in self.choices:
            raise ParameterError(
                f"{self.full_name}: found {entry!r}, expected {self.expected}"
                f"{did_you_mean(entry, self.choices)}"
            )
        if self.kind in (Kind.FLOAT, Kind.INTEGER):
            number = float(entry)
            self._check_range(number, number, entry)
        return entry

    def _validate_list(self, value: Any) -> tuple[Any, ...]:
        if (self.broadcast or self.is_single) and isinstance(value, _SCALARS[self.kind]):
            value = [value] * (1 if self.shape[0] is None else self.shape[0])
        elif isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise self._error(value)
        if self.shape[0] is not None and len(value) != self.shape[0]:
            raise self._error(value, f"{len(value)} entries")
        entries = [self._entry(entry, value, f"entry {entry!r}") for entry in value]
        return tuple(self._checked(entry) for entry in entries)

    def _validate_array(self, value: Any) -> Array | Patch:
        if isinstance(value, Mapping):
            return self._validate_map(value)
        if type(value) is float and (self.broadcast or self.is_single):
            return np.full(self.value.shape, self._checked(value))
        try:
            found = np.asarray(value)
        except (TypeError, ValueError, OverflowError):
            raise self._error(value) from None
        if found.dtype.kind not in "iuf" or _holds_boolean(value):
            raise self._error(value)
        array = np.array(found, dtype=np.float64)
        if array.shape == () and (self.broadcast or self.is_single):
            array = np.full(self.value.shape, float(array))
        if array.shape != self.value.shape:
            raise self._error(value, f"{array.size} numbers")
        self._check_numbers(array, value)
        if self.unit_length:
            unit = array[-4:] if self.quantity.turns else array
            length = float(np.linalg.norm(unit))
            if length < 1e-9:  # [-] no direction can be read from a shorter vector
                raise self._error(value, "a vector of length zero has no direction")
            unit /= length
        return array

    @property
    def _takes_map(self) -> bool:
        return bool(self.labels) and self.is_array and not self.unit_length

    def _validate_map(self, value: Mapping[Any, Any]) -> Patch:
        if not self._takes_map:
            raise self._error(value, "a map")
        values = np.empty(len(value))
        for i, (key, entry) in enumerate(value.items()):
            if key not in self.labels:
                raise ParameterError(
                    f"{self.full_name}: unknown name {key!r}{did_you_mean(str(key), self.labels)}"
                )
            values[i] = self._entry(entry, entry, f"for {key}")
        self._check_numbers(values, value)
        return Patch(np.array([self.labels.index(key) for key in value], dtype=np.intp), values)

    def _check_numbers(self, array: Array, value: Any) -> None:
        if array.size:
            self._check_range(float(array.min()), float(array.max()), value)

    def _check_range(self, least: float, greatest: float, value: Any) -> None:
        """Check the least and the greatest of some numbers; both are no number if one is none."""
        if not (math.isfinite(least) and math.isfinite(greatest)):
            raise self._error(value, "not finite")
        if max(-least, greatest) > LARGEST:
            raise self._error(value, f"larger than any quantity, {LARGEST:g}")
        if self.lower is not None and least < self.lower:
            raise self._error(value, "too small")
        if self.upper is not None and greatest > self.upper:
            raise self._error(value, "too large")


def whole_turns(angle: float, before: float) -> float:
    """Return the whole turns that bring an angle of half a turn at most next to another [rad].

    Where two are as near, as few as possible. Of a larger angle none.
    """
    if not abs(angle) <= HALF_TURN:
        return 0.0
    turns = (before - angle) / math.tau
    return math.copysign(math.ceil(abs(turns) - 0.5 - 1e-9), turns) * math.tau


def _kind_of(default: Any) -> Kind:
    """Return what a default shows its parameter to hold; numbers are floats unless told."""
    is_plain = isinstance(default, bool | str)
    return (Kind.TEXT if isinstance(default, str) else Kind.BOOLEAN) if is_plain else Kind.FLOAT


def _holds_boolean(value: Any) -> bool:
    """Whether a nested list has a boolean among its numbers, which NumPy would read as 0 or 1."""
    if isinstance(value, (list, tuple)):
        return any(_holds_boolean(entry) for entry in value)
    return isinstance(value, (bool, np.bool_))
