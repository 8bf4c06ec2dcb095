"""Make clients of the service `add` of node `echo` and call each once, at once; print the sums."""

import sys

from controlit_ros.interfaces import new
from controlit_ros.transport.dds import DdsTransport

TYPE = "example_interfaces/srv/AddTwoInts"

with DdsTransport("calls", sys.argv[1]) as transport:
    for number in range(int(sys.argv[2])):
        client = transport.client("add", TYPE)
        print(client.call(new(f"{TYPE}_Request", a=number, b=1), 60.0).sum, flush=True)
        client.close()
