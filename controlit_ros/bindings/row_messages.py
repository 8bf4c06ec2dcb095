"""RowMessages: rows of a sampler are published from where the servo has put them."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.bindings.message_form import FormPlaces, MessageForm
from controlit_ros.kernels.bind import GIVEN, BoundKernel, bind
from controlit_ros.kernels.message_row import VALUES, message_row
from controlit_ros.servo import HandOff
from controlit_ros.transport import Publisher

_NO_PLACES: Indices = np.zeros(0, np.int64)


class Computed(NamedTuple):
    """What messages tell in place of the numbers of a row.

    Attributes:
        memory: Takes the numbers of a row.
        places: `(n,)` where each goes in there.
        of: Returns what is computed of that memory, as many numbers as the messages have.
    """

    memory: Array
    places: Indices
    of: Callable[[], Array]


class RowMessages:
    """Publishes rows as messages of a form; implements `Delivery`.

    Args:
        publisher: Sends the messages.
        form: As wide as the rows, or as what is computed of them.
        offset: From their stamps to the times in messages [s].
        computed: What messages tell; by default the rows themselves.
    """

    def __init__(
        self,
        publisher: Publisher,
        form: MessageForm,
        offset: float,
        computed: Computed | None = None,
    ) -> None:
        self._publisher = publisher
        self.give = publisher.publish_raw
        self._form = form
        self._offset = float(offset)
        self._computed = computed
        _prepare()

    def reader(self, hand_off: HandOff) -> Callable[[int], memoryview | None]:
        """Return what writes a row into the message and returns that.

        Raises:
            ValueError: The rows have more numbers than is known what to do with, or fewer.
        """
        found, computed = hand_off.words.shape[1] - VALUES, self._computed
        expected = self._form.width if computed is None else len(computed.places)
        if found != expected:
            raise ValueError(f"found rows of {found} numbers, expected {expected}")
        write: BoundKernel | None = None
        message = memoryview(b"")

        def read(place: int) -> memoryview | None:
            nonlocal write, message
            if write is None:
                write, message = self._writer(hand_off.words), self._form.places.message
                self.give = self._publisher.publish_raw  # which a deferred one has from the real
            return message if write(place) else None

        def compute(place: int) -> memoryview | None:
            assert computed is not None
            if read(place) is None:
                return None
            form = self._form.places
            form.numbers[form.of_numbers] = computed.of()
            return form.message

        return read if computed is None else compute

    def _writer(self, words: Indices) -> BoundKernel:
        """Return what writes a row, by its place."""
        form = self._form.places
        if self._computed is None:
            return _bound(words, form.numbers, form.of_numbers, form, self._offset)
        memory, places, _ = self._computed
        return _bound(words, memory, places, form, self._offset)


def _bound(
    words: Indices, numbers: Array, places: Indices, form: FormPlaces, offset: float
) -> BoundKernel:
    """Return what writes a row, by its place, into numbers, and its stamp into a message."""
    given = words, numbers.view(np.int64), places
    return bind(message_row, GIVEN, *given, form.content, form.of_times, offset)


@cache
def _prepare() -> None:
    """Load what writes rows, or compile it, before the servo runs beside."""
    places = FormPlaces(memoryview(b""), np.zeros(0), _NO_PLACES, np.zeros(0, np.int8), _NO_PLACES)
    _bound(np.zeros((1, VALUES), np.int64), places.numbers, _NO_PLACES, places, 0.0)(0)
