"""Sends goals to actions by rclpy, as move_group does; takes a line of JSON, answers with one.

Argument: namespace of the controller.
["send", action, type, goal]: number of the goal, or null where it is rejected;
["cancel", number]: whether it is taken; ["result", number]: status and result;
["joints"]: positions by name.
"""

import json
import sys
import time

import rclpy
from rclpy.action import ActionClient
from rosidl_runtime_py.convert import message_to_ordereddict
from rosidl_runtime_py.set_message import set_message_fields
from rosidl_runtime_py.utilities import get_action
from sensor_msgs.msg import JointState

DEADLINE = 60.0  # [s]

namespace = sys.argv[1]
rclpy.init()
node = rclpy.create_node("move_group")
states, clients, handles = [], {}, []
node.create_subscription(JointState, f"{namespace}/joint_states", states.append, 1)


def until(predicate):
    end = time.monotonic() + DEADLINE
    while not predicate():
        rclpy.spin_once(node, timeout_sec=0.05)
        if time.monotonic() > end:
            sys.exit("nothing happened")


def answered(future):
    until(future.done)
    return future.result()


def send(action, kind, fields):
    if action not in clients:
        clients[action] = ActionClient(node, get_action(kind), f"{namespace}/{action}")
        until(clients[action].server_is_ready)
    goal = get_action(kind).Goal()
    set_message_fields(goal, fields)
    handle = answered(clients[action].send_goal_async(goal))
    handles.append(handle)
    return len(handles) - 1 if handle.accepted else None


def cancel(number):
    return bool(answered(handles[number].cancel_goal_async()).goals_canceling)


def result(number):
    ended = answered(handles[number].get_result_async())
    return ended.status, message_to_ordereddict(ended.result)


def joints():
    states.clear()
    until(lambda: states)
    return dict(zip(states[-1].name, states[-1].position, strict=True))


WORDS = {"send": send, "cancel": cancel, "result": result, "joints": joints}
for line in sys.stdin:
    word, *arguments = json.loads(line)
    print(json.dumps(WORDS[word](*arguments)), flush=True)
