"""MessageForm: messages that differ in their numbers alone, encoded once."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array, Indices, Octets
from controlit_ros.bindings.message_parts import time_parts
from controlit_ros.interfaces import Message, encode
from controlit_ros.kernels.bind import GIVEN, BoundKernel, bind
from controlit_ros.kernels.message_row import write_message

MakeMessage: TypeAlias = Callable[[Array, float], Message]
"""Returns a message for `(width,)` numbers and a stamp [s]."""

HEADER = 4  # [bytes] before the fields, from whose end alignment counts
NUMBER = 8  # [bytes]
MARKED_TIME = 1_618_033_988.75  # [s] no text and no count looks like it
_GOLDEN = 0.6180339887498949


class MessageForm:
    """Encodes messages whose numbers are copied from a row, by writing them over those of the last.

    To make a message, to check its fields and to encode them takes some ten times as long. The
    form is found with the first message: one with marks for numbers is made and encoded, and where
    the marks are, the numbers go. So what makes messages must only copy: each number to one field
    of type float64, the stamp to times if it has any, and nothing else may depend on either.

    Args:
        make: Makes such messages.
        width: Numbers in a row.

    Attributes:
        width: The same.
    """

    def __init__(self, make: MakeMessage, width: int) -> None:
        self._make = make
        self.width = width

    @cached_property
    def places(self) -> "FormPlaces":
        """The memory of the messages, and where the numbers and times are in it.

        Raises:
            ValueError: What makes messages does more than to copy.
        """
        marks = MARKED_TIME + _GOLDEN * np.arange(1.0, self.width + 1.0)
        made = self._make(marks, MARKED_TIME)
        encoded = encode(made.__type_name__, made)
        words = -(-(len(encoded) - HEADER) // NUMBER)
        memory = np.zeros(NUMBER + NUMBER * words, np.uint8)
        message = memory[NUMBER - HEADER :][: len(encoded)]  # so that fields are aligned
        message[:] = np.frombuffer(encoded, np.uint8)
        fields = memory[NUMBER:]
        numbers = fields.view(np.float64)
        return FormPlaces(
            message.data,
            numbers,
            _found(numbers, marks, made.__type_name__),
            fields.view(np.int8),
            _times(fields.view(np.int32)),
        )

    def encode(self, values: Array, stamp: float) -> memoryview:
        """Return a message as it goes over the wire; the next call writes over it.

        Args:
            values: `(width,)` numbers.
            stamp: When they were so [s].

        Raises:
            ValueError: What makes messages does more than to copy; there are more numbers, or
                fewer; or no message can hold the time.
        """
        if len(values) != self.width:
            raise ValueError(f"found {len(values)} numbers, expected {self.width}")
        self._write(values, float(stamp))
        return self.places.message

    @cached_property
    def _write(self) -> BoundKernel:
        """What writes numbers and a stamp into the message."""
        _, numbers, of_numbers, content, of_times = self.places
        return bind(write_message, GIVEN, numbers, of_numbers, content, of_times, GIVEN)


class FormPlaces(NamedTuple):
    """A message in memory, and what is where.

    Attributes:
        message: As it goes over the wire.
        numbers: Its fields, from the first on, as numbers.
        of_numbers: `(width,)` indices of these that come from the row.
        content: The same memory as int8.
        of_times: Indices of these where times begin.
    """

    message: memoryview
    numbers: Array
    of_numbers: Indices
    content: Octets
    of_times: Indices


def _found(numbers: Array, marks: Array, type_name: str) -> Indices:
    """Return where each of the marks is among numbers."""
    nearest = np.searchsorted(marks, numbers)
    found = np.flatnonzero(np.append(marks, np.nan)[nearest] == numbers)
    order = np.argsort(nearest[found])
    if not np.array_equal(nearest[found][order], np.arange(len(marks))):
        raise ValueError(
            f"found a message {type_name} without each of its numbers once, as they are; what "
            "makes it does more than to copy"
        )
    return found[order].astype(np.int64)


def _times(words: npt.NDArray[np.int32]) -> Indices:
    """Return where marked times are among words, in bytes."""
    seconds, nanoseconds = time_parts(MARKED_TIME)
    found = np.flatnonzero((words[:-1] == seconds) & (words[1:] == nanoseconds))
    return (found * words.itemsize).astype(np.int64)
