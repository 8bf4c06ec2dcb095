"""MarkerForms: arrays of markers, those encoded once that differ in their numbers alone."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.few import Few
from controlit_ros.interfaces import Message, encode, new
from controlit_ros.introspection.marker import Marker
from controlit_ros.introspection.sketch import Sketch, with_numbers

TYPE = "visualization_msgs/msg/MarkerArray"
HEADER = "std_msgs/msg/Header"
_NOTHING: Array = np.zeros(0)
KEPT = 8  # [#] scenes with more looks than that in turns are encoded as if each were new


class MarkerForms:
    """Encodes arrays of markers.

    A scene moves far more often than it changes: the same markers in the same colours, of as many
    points, are elsewhere. Of what looks like something before only poses, sizes, points and times
    are written anew.

    Args:
        frame: What the world is called in headers.
    """

    def __init__(self, frame: str) -> None:
        self._frame = frame
        self._forms: Few[Hashable, MessageForm] = Few(KEPT)

    def encode(self, sketches: Sequence[Sketch], stamp: float) -> bytes | memoryview:
        """Return an array of markers as it goes over the wire; the next call may write over it.

        Args:
            sketches: What is drawn.
            stamp: For their headers [s].
        """
        look = tuple([sketch.look for sketch in sketches])
        form = self._forms.get(look)
        if form is not None:
            return form.encode(_numbers(sketches), stamp)
        markers = [mark for sketch in sketches for mark in sketch.markers]
        width = len(_numbers(sketches))
        form = MessageForm(  # which is found next time: most of what comes once does not come again
            lambda numbers, time: self._message(with_numbers(markers, numbers), time), width
        )
        self._forms.keep(look, form)
        return encode(TYPE, self._message(markers, stamp))

    def _message(self, markers: Iterable[Marker], stamp: float) -> Message:
        header = new(HEADER, stamp=time_fields(stamp), frame_id=self._frame)
        return new(TYPE, markers=[{**mark.fields(), "header": header} for mark in markers])


def _numbers(sketches: Iterable[Sketch]) -> Array:
    """Return what moves of sketches, one after the other."""
    return np.concatenate([_NOTHING, *[part for sketch in sketches for part in sketch.numbers]])
