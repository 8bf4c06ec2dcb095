"""Leads the hand of a running controller: tells where it is for each line, sends goals of numbers.

Arguments: name of the task, with its namespace; how many listeners a goal waits for.
"""

import sys
import time

from controlit_ros.interfaces import new
from controlit_ros.transport import open_transport

POINT = "geometry_msgs/msg/Point"

task, listeners = sys.argv[1], int(sys.argv[2])
here = []

with open_transport("hand", "/", name="dds") as transport:
    goals = transport.publisher(f"{task}/goal_position", POINT)
    transport.subscribe(f"{task}/actual_position", POINT, lambda m: here.append((m.x, m.y, m.z)))
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip():
            while goals.subscriber_count() < listeners:
                time.sleep(0.01)
            x, y, z = map(float, line.split())
            goals.publish(new(POINT, x=x, y=y, z=z))
        print(*(here[-1] if here else ()), flush=True)
