r"""Goals over topics: what any program of ROS 2 would do, in C++ or from the command line.

    ros2 topic pub --once /dreamer_controller/RightHandPosition/goal_position \
        geometry_msgs/msg/Point "{x: 0.1, y: -0.3, z: 0.85}"

Here the controller runs in this process and simulated time; with `controlit run` in another one
`open_transport("my_node", "/dreamer_controller")` takes the place of `controller.transport`.
"""

from controlit_ros.scripting import SimulatedController, new

HANDS = "package://controlit/config/dreamer/hands.yaml"
GOAL = {"x": 0.1, "y": -0.3, "z": 0.85}  # [m]

with SimulatedController(HANDS) as controller:
    node, heard = controller.transport, []
    point = "geometry_msgs/msg/Point"
    node.subscribe("RightHandPosition/actual_position", point, heard.append)
    goals = node.publisher("RightHandPosition/goal_position", point)
    controller.advance(0.1)
    goals.publish(new(point, **GOAL))
    controller.advance(5.0)

    first, last = heard[0], heard[-1]
    print(f"heard {len(heard)} positions, from z = {first.z:.3f} m to z = {last.z:.3f} m")
    assert all(abs(getattr(last, axis) - value) < 5e-3 for axis, value in GOAL.items())

    # what does not fit is refused with a reason, and moves nothing
    warnings = []
    node.subscribe("diagnostics/warnings", "std_msgs/msg/String", warnings.append)
    goals.publish(new(point, x=float("nan")))
    controller.advance(1.0)
    print(f"refused: {warnings[-1].data}")
    assert controller.task("RightHandPosition").goal.value.tolist() == list(GOAL.values())
