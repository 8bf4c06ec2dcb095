"""BaseTransform: where the robot stands in the world, for tf."""

from controlit_ros.arrays import Array
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import new
from controlit_ros.introspection import marker
from controlit_ros.model import WORLD, RobotState
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.transport import LATCHED, Qos, Transport

TOPIC = "/tf"
STATIC_TOPIC = "/tf_static"
TYPE = "tf2_msgs/msg/TFMessage"
RATE = 100.0  # [Hz] as joint_states, which moves the other links
QUALITY = Qos(depth=100)  # [messages] as the broadcasters of tf2
WIDTH = 8  # position, orientation, and the stamp of their measurement


class BaseTransform:
    """Publishes the transform from `world` to the root link, by REP-105.

    That of a robot bolted to the world is told once, latched, on `/tf_static`; that of any other on
    `/tf` while somebody listens. Together with robot_state_publisher, which knows the links below
    the root, displays can show the robot beside goals and markers.

    Args:
        state: The servo's robot state.
        root_link: Name of the root link.
        is_fixed: Whether it is bolted to the world.
        transport: How to publish; the topics are absolute.
        outbox: Brings the values out of the servo thread.
        clock_offset: Seconds from the servo's clock to ROS time.
        frames: What frames are called.
    """

    def __init__(
        self,
        state: RobotState,
        root_link: str,
        *,
        is_fixed: bool,
        transport: Transport,
        outbox: Outbox,
        clock_offset: float,
        frames: FrameNames,
    ) -> None:
        if root_link == WORLD:
            return  # the robot's own tree begins at the world
        self._state = state
        self._frames = frames
        self._root_link = root_link
        self._clock_offset = clock_offset
        self._is_fixed = is_fixed
        self._is_told = False
        topic, quality = (STATIC_TOPIC, LATCHED) if is_fixed else (TOPIC, QUALITY)
        self._publisher = transport.publisher(topic, TYPE, quality)
        outbox.add_sampler(
            Sampler(WIDTH, self._fill, self._deliver, rate=RATE, wanted=self._is_wanted)
        )

    def _is_wanted(self) -> bool:
        if self._is_fixed:
            return not self._is_told
        return self._publisher.subscriber_count() > 0

    def _fill(self, row: Array) -> None:
        row[:3] = self._state.base_position
        row[3:7] = self._state.base_orientation
        row[7] = self._state.stamp

    def _deliver(self, stamp: float, values: Array) -> None:
        is_measured = values[7] != 0.0
        if not is_measured or (self._is_fixed and self._is_told):
            return
        self._is_told = True
        transform = {
            "header": {
                "stamp": time_fields(stamp + self._clock_offset),
                "frame_id": self._frames.world,
            },
            "child_frame_id": self._frames.outside(self._root_link),
            "transform": {
                "translation": marker.point(values[:3]),
                "rotation": marker.rotation(values[3:7]),
            },
        }
        self._publisher.publish(new(TYPE, transforms=[transform]))
