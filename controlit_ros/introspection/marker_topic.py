"""MarkerTopic: the scene for RViz."""

from collections.abc import Hashable, Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.introspection import marker
from controlit_ros.introspection.marker import Key, Marker
from controlit_ros.introspection.marker_forms import TYPE, MarkerForms
from controlit_ros.introspection.other_markers import other_markers
from controlit_ros.introspection.robot_markers import RobotMarkers
from controlit_ros.introspection.scene import Scene
from controlit_ros.introspection.sketch import Sketch
from controlit_ros.introspection.surrounding_markers import SurroundingMarkers, Surroundings
from controlit_ros.introspection.task_markers import TaskMarkers
from controlit_ros.model import RobotDescription
from controlit_ros.transport import Qos, Transport

TOPIC = "markers"
QUALITY = Qos(depth=5)  # [messages] a late marker is worth nothing, but a deletion must arrive
LONGEST = 1.0  # [m] of an arrow that is the robot's weight


class MarkerTopic:
    """Publishes every scene as markers on `markers`; what is no longer there is deleted.

    Args:
        robot: Its weight and its size give the scale of forces.
        transport: The topic is relative to its namespace.
        clock_offset: Seconds from the servo's clock to ROS time.
        frames: What frames are called.
        surroundings: What else stands in the world.
    """

    def __init__(
        self,
        robot: RobotDescription,
        transport: Transport,
        clock_offset: float,
        frames: FrameNames,
        surroundings: Surroundings | None = None,
    ) -> None:
        self._publisher = transport.publisher(TOPIC, TYPE, QUALITY)
        self._clock_offset = clock_offset
        self._forms = MarkerForms(frames.world)
        weight = force_scale(robot)
        self._tasks = TaskMarkers(robot, weight)
        self._robot = RobotMarkers(weight)
        self._around = SurroundingMarkers(surroundings)
        self._look: list[Hashable] = []
        self._shown: frozenset[Key] = frozenset()  # but for the surroundings

    @property
    def is_wanted(self) -> bool:
        """Whether anybody listens."""
        return self._publisher.subscriber_count() > 0

    def show(self, scene: Scene) -> None:
        """Publish a scene."""
        sketches = [s for task in scene.tasks for s in self._tasks.draw(task, scene.mirror)]
        sketches += [Sketch.of(other_markers(other)) for other in scene.others]
        sketches += self._robot.draw(scene)
        deletions = self._deletions(sketches)
        around = self._around.due(scene.stamp)
        if deletions or around:
            sketches.append(Sketch.of([*deletions, *around]))
        self._publisher.publish_raw(self._forms.encode(sketches, scene.stamp + self._clock_offset))

    def _deletions(self, sketches: Sequence[Sketch]) -> list[Marker]:
        """Return markers that take away what was shown before, but is not drawn now."""
        look = [sketch.look for sketch in sketches]
        if look == self._look:
            return []
        before, self._look = self._shown, look
        self._shown = frozenset().union(*[sketch.keys for sketch in sketches])
        return [marker.deletion(key) for key in sorted(before - self._shown)]


def force_scale(robot: RobotDescription) -> float:
    """Return the force that is drawn as an arrow of one metre [N].

    The robot's weight is as long as what it measures in its neutral posture, a metre at most, so
    that forces of a small one do not tower above it.
    """
    model = robot.pinocchio
    mass = sum(inertia.mass for inertia in model.inertias)
    weight = mass * float(np.linalg.norm(model.gravity.linear)) or 1.0
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    bodies = [data.oMf[i].translation for i, f in enumerate(model.frames) if f.type == pin.BODY]
    size = float(np.linalg.norm(np.ptp(bodies, axis=0))) if bodies else 0.0
    return weight / (min(size, LONGEST) or LONGEST)
