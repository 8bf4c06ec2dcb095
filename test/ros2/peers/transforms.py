"""Looks a transform up over a second, as a program with tf2's buffer does; prints what it found.

Arguments: target frame, source frame.
"""

import json
import sys
import time

import rclpy
from rclpy.time import Time
from ruamel.yaml import YAML
from tf2_ros import Buffer, TransformException, TransformListener

DEADLINE = 60.0  # [s] for the first one
WHILE, PERIOD = 1.0, 0.01  # [s]
TIMES = 50  # at least, however long it takes

target, source = sys.argv[1:3]
rclpy.init()
node = rclpy.create_node("transforms")
buffer = Buffer()
listener = TransformListener(buffer, node)


def look_up():
    try:
        return buffer.lookup_transform(target, source, Time()).transform.translation
    except TransformException:
        return None


end = time.monotonic() + DEADLINE
while look_up() is None:
    rclpy.spin_once(node, timeout_sec=0.05)
    if time.monotonic() > end:
        sys.exit(f"no transform from {source} to {target}: {buffer.all_frames_as_yaml()}")
found = []
end = time.monotonic() + WHILE
while time.monotonic() < end or len(found) < TIMES:
    rclpy.spin_once(node, timeout_sec=PERIOD)
    found.append(look_up())
frames = YAML(typ="safe").load(buffer.all_frames_as_yaml())
last = found[-1]
print(
    json.dumps(
        {
            "parents": {name: frame["parent"] for name, frame in frames.items()},
            "found": sum(one is not None for one in found),
            "missed": sum(one is None for one in found),
            "translation": last and [last.x, last.y, last.z],
        }
    )
)
node.destroy_node()
rclpy.shutdown()
