"""MessageForm: messages that differ in their numbers alone, encoded once."""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_parts import time_parts
from controlit_ros.interfaces import Message, encode

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
    """

    def __init__(self, make: MakeMessage, width: int) -> None:
        self._make = make
        self._width = width
        self._parts: list[tuple[Array, slice]] = []
        self._times: list[memoryview] = []
        self._message: memoryview | None = None

    def encode(self, values: Array, stamp: float) -> memoryview:
        """Return a message as it goes over the wire; the next call writes over it.

        Args:
            values: `(width,)` numbers.
            stamp: When they were so [s].

        Raises:
            ValueError: What makes messages does more than to copy.
        """
        message = self._message
        if message is None:
            message = self._message = self._find()
        for field, part in self._parts:
            field[:] = values[part]
        if self._times:
            seconds, nanoseconds = time_parts(stamp)
            for time in self._times:
                time[0], time[1] = seconds, nanoseconds
        return message

    def _find(self) -> memoryview:
        """Return the memory of the messages; remember where the numbers and times are in it."""
        marks = MARKED_TIME + _GOLDEN * np.arange(1.0, self._width + 1.0)
        made = self._make(marks, MARKED_TIME)
        encoded = encode(made.__type_name__, made)
        numbers = -(-(len(encoded) - HEADER) // NUMBER)
        memory = np.zeros(NUMBER + NUMBER * numbers, np.uint8)
        message = memory[NUMBER - HEADER :][: len(encoded)]  # so that fields are aligned
        message[:] = np.frombuffer(encoded, np.uint8)
        self._parts = _parts(memory[NUMBER:].view(np.float64), marks, made.__type_name__)
        words = memory[NUMBER:].data.cast("B").cast("i")
        marked = time_parts(MARKED_TIME)
        places = [i for i in range(len(words) - 1) if (words[i], words[i + 1]) == marked]
        self._times = [words[place : place + 2] for place in places]
        return message.data


def _parts(numbers: Array, marks: Array, type_name: str) -> list[tuple[Array, slice]]:
    """Return runs of fields, and which marks are in them."""
    nearest = np.searchsorted(marks, numbers)
    found = np.flatnonzero(np.append(marks, np.nan)[nearest] == numbers)
    order = np.argsort(nearest[found])
    if not np.array_equal(nearest[found][order], np.arange(len(marks))):
        raise ValueError(
            f"found a message {type_name} without each of its numbers once, as they are; what "
            "makes it does more than to copy"
        )
    places = found[order]
    ends = [0, *(np.flatnonzero(np.diff(places) != 1) + 1).tolist(), len(places)]
    return [
        (numbers[places[begin] : places[begin] + end - begin], slice(begin, end))
        for begin, end in pairwise(ends)
        if end > begin
    ]
