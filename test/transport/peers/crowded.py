"""Node `servo` with as many topics and services as a controller has, made anew at each `go`.

Tells each goal when it comes for the first time.
"""

import sys

from controlit_ros.interfaces import Message, new
from controlit_ros.transport import DEFAULT, LATCHED
from controlit_ros.transport.dds import DdsTransport

STRING = "std_msgs/msg/String"
TRIGGER = "std_srvs/srv/Trigger"
OUTPUTS, INPUTS, SERVICES = (int(word) for word in sys.argv[2:])


def answer(_request: Message) -> Message:
    return new(f"{TRIGGER}_Response", success=True)


def say(text: str) -> None:
    print(text, flush=True)


def crowd(transport: DdsTransport) -> None:
    heard: set[str] = set()

    def hear(message: Message) -> None:
        if message.data not in heard:
            heard.add(message.data)
            say(message.data)

    for number in range(SERVICES):
        transport.serve(f"service_{number}", TRIGGER, answer)
    for number in range(INPUTS):
        transport.subscribe(f"goal_{number}", STRING, hear, DEFAULT)
    for number in range(OUTPUTS):
        transport.publisher(f"output_{number}", STRING, LATCHED).publish(new(STRING, data="kept"))


say("ready")
for line in sys.stdin:
    if line.strip() == "go":
        with DdsTransport("servo", sys.argv[1]) as opened:
            crowd(opened)
            sys.stdin.readline()
