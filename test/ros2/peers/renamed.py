"""Open a node on rclpy beside one that uses rclpy's global context; print the names it got."""

import json

import rclpy

from controlit_ros.interfaces import new
from controlit_ros.transport import open_transport

TRIGGER = "std_srvs/srv/Trigger"

rclpy.init()
with open_transport("servo", "/robot", name="rclpy") as transport:
    topic = transport.publisher("state", "std_msgs/msg/String").topic
    service = transport.serve("stop", TRIGGER, lambda _: new(f"{TRIGGER}_Response")).name
    private = transport.subscribe("~/goal", "std_msgs/msg/String", print).topic
    names = [transport.namespace, transport.node_name, topic, service, private]
print(json.dumps([*names, rclpy.ok()]))
rclpy.shutdown()
