"""A node of rclpy that knows nothing of controlit talks to `arm.py`; prints what it learned.

Argument: namespace of the arm.
"""

import json
import sys
import time

import rclpy
from example_interfaces.srv import AddTwoInts
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParametersAtomically
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String

DEADLINE = 30.0
CALLS = 20

namespace = sys.argv[1]
rclpy.init()
node = rclpy.create_node("plain", namespace="/plain")


def until(predicate):
    end = time.monotonic() + DEADLINE
    while not predicate():
        rclpy.spin_once(node, timeout_sec=0.05)
        if time.monotonic() > end:
            sys.exit("nothing happened")


def call(service, kind, request):
    client = node.create_client(kind, f"{namespace}/{service}")
    until(client.service_is_ready)
    future = client.call_async(request)
    until(future.done)
    return future.result()


states, late, reached = [], [], []
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
node.create_subscription(
    JointState, f"{namespace}/joint_states", states.append, qos_profile_sensor_data
)
node.create_subscription(String, f"{namespace}/about", late.append, latched)
node.create_subscription(String, f"{namespace}/reached", reached.append, 10)
goal = node.create_publisher(Float64MultiArray, f"{namespace}/goal", 1)
until(lambda: states and late and goal.get_subscription_count())
goal.publish(Float64MultiArray(data=[1.5, -2.0]))
until(lambda: any("1.5" in message.data for message in reached))
sums = [
    call("add", AddTwoInts, AddTwoInts.Request(a=number, b=1000)).sum for number in range(CALLS)
]
value = ParameterValue(type=3, double_value=5000.0)
refused = call(
    "arm/set_parameters_atomically",
    SetParametersAtomically,
    SetParametersAtomically.Request(parameters=[Parameter(name="hand.kp", value=value)]),
).result
goal_value = call("arm/get_parameters", GetParameters, GetParameters.Request(names=["hand.goal"]))
print(
    json.dumps(
        {
            "names": list(states[0].name),
            "about": late[0].data,
            "sums": sums,
            "refused": [refused.successful, refused.reason],
            "goal": list(goal_value.values[0].double_array_value),
        }
    )
)
node.destroy_node()
rclpy.shutdown()
