"""MarkerForms: arrays of markers, those encoded once that differ in their numbers alone."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.few import Few
from controlit_ros.interfaces import Message, encode, new
from controlit_ros.introspection.marker import Marker

TYPE = "visualization_msgs/msg/MarkerArray"
HEADER = "std_msgs/msg/Header"
MOVING = ("scale", "position", "orientation", "points")
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

    def encode(self, markers: Sequence[Marker], stamp: float) -> bytes | memoryview:
        """Return an array of markers as it goes over the wire; the next call may write over it.

        Args:
            markers: What is drawn.
            stamp: For their headers [s].
        """
        look = tuple(map(_look, markers))
        form = self._forms.get(look)
        if form is not None:
            return form.encode(_numbers(markers), stamp)
        form = MessageForm(  # which is found next time: most of what comes once does not come again
            lambda marks, time: self._message(_with(markers, marks), time), len(_numbers(markers))
        )
        self._forms.keep(look, form)
        return encode(TYPE, self._message(markers, stamp))

    def _message(self, markers: Iterable[Marker], stamp: float) -> Message:
        header = new(HEADER, stamp=time_fields(stamp), frame_id=self._frame)
        return new(TYPE, markers=[{**mark.fields(), "header": header} for mark in markers])


def _look(mark: Marker) -> Hashable:
    """Return all of a marker but its numbers."""
    key, kind, color, scale, position, orientation, points, colors, action = mark
    corners = -1 if points is None else len(points)
    parts = (scale is None, position is None, orientation is None)
    return key, kind, color, parts, corners, colors, action


def _numbers(markers: Iterable[Marker]) -> Array:
    """Return what is `MOVING` of markers, one after the other."""
    numbers: list[float] = []
    for mark in markers:
        if mark.scale is not None:
            numbers += mark.scale
        for values in (mark.position, mark.orientation, mark.points):
            if values is not None:
                numbers += values.ravel().tolist()
    return np.array(numbers)


def _with(markers: Iterable[Marker], numbers: Array) -> Iterator[Marker]:
    """Yield markers with other numbers, those that `_numbers` would return."""
    begin = 0
    for mark in markers:
        moved = {}
        for name in MOVING:
            values = getattr(mark, name)
            if values is not None:
                end = begin + np.size(values)
                moved[name] = numbers[begin:end].reshape(np.shape(values))
                begin = end
        yield mark._replace(**moved)
