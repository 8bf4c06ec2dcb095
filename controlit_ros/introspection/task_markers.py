"""Markers of tasks: goal green, actual value blue."""

from collections.abc import Iterator

from controlit_ros.few import Few
from controlit_ros.introspection.joint_markers import PostureDrawing, effort_markers, limit_markers
from controlit_ros.introspection.marker import Key, Marker
from controlit_ros.introspection.robot_mirror import RobotMirror
from controlit_ros.introspection.shape_drawing import ShapeDrawing, TensionDrawing
from controlit_ros.introspection.skeleton import Skeleton
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.views import (
    AnyView,
    EffortView,
    LimitView,
    PostureView,
    SeenPart,
    ShapeView,
    TensionView,
)
from controlit_ros.model import RobotDescription, RobotModel

IDS = 10  # [#] for each shape of a task
KEPT = 1000  # [#] shapes; of more, each would be prepared anew in each scene


class TaskMarkers:
    """Draws tasks.

    Args:
        robot: Structure of the robot.
        weight: Force that is drawn as an arrow of one metre [N].
    """

    def __init__(self, robot: RobotDescription, weight: float) -> None:
        self._skeleton = Skeleton(robot)
        self._weight = weight
        self._shapes: Few[Key, ShapeDrawing] = Few(KEPT)
        self._postures: Few[Key, PostureDrawing] = Few(KEPT)
        self._tensions: Few[Key, TensionDrawing] = Few(KEPT)

    def draw(self, task: SeenPart, mirror: RobotMirror) -> Iterator[Sketch]:
        """Draw a task; the model of the mirror is updated."""
        for number, shape in enumerate(task.shapes):
            key = Key(task.name, IDS * number)
            if isinstance(shape, ShapeView):
                yield from self._drawing(key, shape).sketches()
            elif isinstance(shape, PostureView):
                yield from self._posture(key).sketches(shape, mirror.state)
            elif isinstance(shape, TensionView):
                yield from self._tension(key).sketches(shape)
            else:
                yield Sketch.of(self._marks(key, shape, mirror.model.robot_model))

    def _drawing(self, key: Key, view: ShapeView) -> ShapeDrawing:
        drawing = self._shapes.get(key)
        if drawing is None or drawing.view is not view:
            drawing = self._shapes.keep(key, ShapeDrawing(key, view, self._weight))
        return drawing

    def _posture(self, key: Key) -> PostureDrawing:
        return self._postures.get(key) or self._postures.keep(
            key, PostureDrawing(key, self._skeleton)
        )

    def _tension(self, key: Key) -> TensionDrawing:
        return self._tensions.get(key) or self._tensions.keep(
            key, TensionDrawing(key, self._weight)
        )

    def _marks(self, key: Key, shape: AnyView, model: RobotModel) -> Iterator[Marker]:
        if isinstance(shape, LimitView):
            yield from limit_markers(key, shape, model)
        elif isinstance(shape, EffortView):
            yield from effort_markers(key, shape, model, self._weight)
