"""RowMessages: rows of a sampler are published from where the servo has put them."""

from collections.abc import Callable
from functools import cache

import numpy as np

from controlit_ros.arrays import Indices
from controlit_ros.bindings.message_form import FormPlaces, MessageForm
from controlit_ros.kernels.bind import GIVEN, BoundKernel, bind
from controlit_ros.kernels.message_row import VALUES, message_row
from controlit_ros.servo import HandOff
from controlit_ros.transport import Publisher

_NO_PLACES: Indices = np.zeros(0, np.int64)


class RowMessages:
    """Publishes rows as messages of a form; implements `Delivery`.

    Args:
        publisher: Sends the messages.
        form: As wide as the rows.
        offset: From their stamps to the times in messages [s].
    """

    def __init__(self, publisher: Publisher, form: MessageForm, offset: float) -> None:
        self.give = publisher.publish_raw
        self._form = form
        self._offset = float(offset)
        _prepare()

    def reader(self, hand_off: HandOff) -> Callable[[int], memoryview | None]:
        """Return what writes a row into the message and returns that.

        Raises:
            ValueError: The rows have more numbers than the form, or fewer.
        """
        found = hand_off.words.shape[1] - VALUES
        if found != self._form.width:
            raise ValueError(f"found rows of {found} numbers, expected {self._form.width}")
        write: BoundKernel | None = None
        message = memoryview(b"")

        def read(place: int) -> memoryview | None:
            nonlocal write, message
            if write is None:
                places = self._form.places
                write, message = _bound(hand_off.words, places, self._offset), places.message
            return message if write(place) else None

        return read


def _bound(words: Indices, places: FormPlaces, offset: float) -> BoundKernel:
    """Return what writes a row, by its place, into a message."""
    message, content, times = places.numbers.view(np.int64), places.content, places.of_times
    return bind(message_row, GIVEN, words, message, places.of_numbers, content, times, offset)


@cache
def _prepare() -> None:
    """Load what writes rows, or compile it, before the servo runs beside."""
    places = FormPlaces(memoryview(b""), np.zeros(0), _NO_PLACES, np.zeros(0, np.int8), _NO_PLACES)
    _bound(np.zeros((1, VALUES), np.int64), places, 0.0)(0)
