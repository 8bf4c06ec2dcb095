"""A node with a state, a goal, a service and parameters, for tools of ROS 2 to talk to.

Arguments: name of the transport, name of the node, namespace.
"""

import sys
import time

from controlit_ros.interfaces import new
from controlit_ros.introspection import ParameterEvents, ParameterServices
from controlit_ros.parameters import Access, Mailbox, ParameterDirectory, ParameterReflection
from controlit_ros.transport import COMMAND, LATCHED, SENSOR_STATE, open_transport

JOINTS = "sensor_msgs/msg/JointState"
GOAL = "std_msgs/msg/Float64MultiArray"
STRING = "std_msgs/msg/String"
ADD = "example_interfaces/srv/AddTwoInts"
PERIOD = 0.02

kind, name, namespace = sys.argv[1:4]
task = ParameterReflection("hand")
task.declare("kp", 60.0, lower=0.0, upper=1000.0, description="proportional gain", unit="1/s²")
task.declare("goal", [0.1, 0.2, 0.3], shape=(3,), description="where to be")
task.declare("error_norm", 0.0, access=Access.OUTPUT)
mailbox = Mailbox()

with open_transport(name, namespace, name=kind) as transport:
    goals = []
    directory = ParameterDirectory([task])
    events = ParameterEvents(directory, transport, time.time)
    ParameterServices(directory, mailbox, events, transport)
    transport.serve("add", ADD, lambda request: new(f"{ADD}_Response", sum=request.a + request.b))
    transport.subscribe("goal", GOAL, goals.append, COMMAND)
    state = transport.publisher("joint_states", JOINTS, SENSOR_STATE)
    reached = transport.publisher("reached", STRING)
    about = transport.publisher("about", STRING, LATCHED)
    about.publish(new(STRING, data="kept for those who come late"))
    print("ready", flush=True)
    while True:
        if mailbox.next():
            mailbox.apply_next()
        state.publish(new(JOINTS, name=["a", "b"], position=[0.5, float(len(goals))]))
        if goals:
            reached.publish(new(STRING, data=str(goals[-1].data.tolist())))
        time.sleep(PERIOD)
