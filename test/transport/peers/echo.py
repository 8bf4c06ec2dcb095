"""Node `echo`: sends back what it gets and serves a sum, until its standard input ends."""

import sys

from controlit_ros.interfaces import Message, new
from controlit_ros.transport import DEFAULT, LATCHED
from controlit_ros.transport.dds import DdsTransport

TYPE = "sensor_msgs/msg/JointState"


def add(request: Message) -> Message:
    return new("example_interfaces/srv/AddTwoInts_Response", sum=request.a + request.b)


with DdsTransport("echo", sys.argv[1]) as transport:
    pong = transport.publisher("pong", TYPE, DEFAULT)
    transport.subscribe("ping", TYPE, pong.publish, DEFAULT)
    transport.serve("add", "example_interfaces/srv/AddTwoInts", add)
    latched = transport.publisher("latched", "std_msgs/msg/String", LATCHED)
    latched.publish(new("std_msgs/msg/String", data="kept for those who come late"))
    print("ready", flush=True)
    sys.stdin.read()
