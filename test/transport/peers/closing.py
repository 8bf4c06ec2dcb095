"""Open and close a node many times while it learns of many endpoints; print `survived`."""

import sys

from controlit_ros.transport.dds import DdsTransport

STRING = "std_msgs/msg/String"

with DdsTransport("endpoints") as crowd:
    for number in range(40):
        crowd.publisher(f"/closing/number_{number}", STRING)
    for _ in range(int(sys.argv[1])):
        DdsTransport("visitor").close()
print("survived")
