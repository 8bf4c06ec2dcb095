"""MarkerForms: arrays of markers, those encoded once that differ in their numbers alone."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.message_form import MessageForm
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.few import Few
from controlit_ros.interfaces import Message, encode, new
from controlit_ros.introspection.marker import Fields

TYPE = "visualization_msgs/msg/MarkerArray"
HEADER = "std_msgs/msg/Header"
POSE, SCALE, POINTS = "pose", "scale", "points"
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
        self._forms: Few[Hashable, MessageForm | None] = Few(KEPT)

    def encode(self, markers: Sequence[Fields], stamp: float) -> bytes | memoryview:
        """Return an array of markers as it goes over the wire; the next call may write over it.

        Args:
            markers: Their fields, without headers.
            stamp: For their headers [s].
        """
        numbers: list[float] = []
        look = tuple([_look(fields, numbers) for fields in markers])
        if look not in self._forms:  # most of what comes once does not come again
            self._forms.keep(look, None)
            return encode(TYPE, self._message(markers, stamp))
        form = self._forms[look]
        if form is None:
            form = MessageForm(
                lambda marks, time: self._message(_with(markers, marks), time), len(numbers)
            )
            self._forms.keep(look, form)
        return form.encode(np.array(numbers), stamp)

    def _message(self, markers: Sequence[Fields], stamp: float) -> Message:
        header = new(HEADER, stamp=time_fields(stamp), frame_id=self._frame)
        return new(TYPE, markers=[{**fields, "header": header} for fields in markers])


def _look(fields: Fields, numbers: list[float]) -> Hashable:
    """Return all of a marker but its numbers, and append those to others."""
    look: list[Hashable] = []
    for name, value in fields.items():
        if name == POINTS and isinstance(value, np.ndarray):
            numbers += value.ravel().tolist()
            look.append((name, value.shape))
        elif name == POSE:
            for part, axes in value.items():
                numbers += axes.values()
                look.append((name, part, *axes))
        elif name == SCALE:
            numbers += value.values()
            look.append((name, *value))
        else:
            look.append((name, _frozen(value)))
    return tuple(look)


def _with(markers: Sequence[Fields], numbers: Array) -> list[Fields]:
    """Return markers with other numbers, as `_look` has taken them out."""
    left = iter(numbers.tolist())
    return [{name: _filled(name, value, left) for name, value in m.items()} for m in markers]


def _filled(name: str, value: Any, left: Iterator[float]) -> Any:
    if name == POINTS and isinstance(value, np.ndarray):
        return np.fromiter(left, np.float64, value.size).reshape(value.shape)
    if name == POSE:
        return {part: {axis: next(left) for axis in axes} for part, axes in value.items()}
    if name == SCALE:
        return {axis: next(left) for axis in value}
    return value


def _frozen(value: Any) -> Hashable:
    """Return something that is equal for equal values."""
    if isinstance(value, dict):
        value = tuple(value.items())
    elif isinstance(value, np.ndarray):
        return value.tobytes()
    elif isinstance(value, list):
        value = tuple(value)
    if not isinstance(value, tuple):
        return cast("Hashable", value)
    try:
        hash(value)
    except TypeError:
        return tuple([_frozen(item) for item in value])
    return value
