"""ROS 2 types that the type store of rosbags does not hold, field by field.

Comments of the originals are left out; they do not matter on the wire. `FIELD_DEFAULTS` names
the few fields whose default is not zero, which rosbags forgets.
"""

from collections.abc import Mapping

SERVICES: Mapping[str, str] = {
    "std_srvs/srv/Empty": "---\n",
    "std_srvs/srv/SetBool": "bool data\n---\nbool success\nstring message\n",
    "std_srvs/srv/Trigger": "---\nbool success\nstring message\n",
    "example_interfaces/srv/AddTwoInts": "int64 a\nint64 b\n---\nint64 sum\n",
    "rcl_interfaces/srv/DescribeParameters": (
        "string[] names\n---\nrcl_interfaces/ParameterDescriptor[] descriptors\n"
    ),
    "rcl_interfaces/srv/GetParameterTypes": "string[] names\n---\nuint8[] types\n",
    "rcl_interfaces/srv/GetParameters": (
        "string[] names\n---\nrcl_interfaces/ParameterValue[] values\n"
    ),
    "rcl_interfaces/srv/ListParameters": (
        "uint64 DEPTH_RECURSIVE=0\n"
        "string[] prefixes\n"
        "uint64 depth\n"
        "---\n"
        "rcl_interfaces/ListParametersResult result\n"
    ),
    "rcl_interfaces/srv/SetParameters": (
        "rcl_interfaces/Parameter[] parameters\n---\nrcl_interfaces/SetParametersResult[] results\n"
    ),
    "rcl_interfaces/srv/SetParametersAtomically": (
        "rcl_interfaces/Parameter[] parameters\n---\nrcl_interfaces/SetParametersResult result\n"
    ),
    "lifecycle_msgs/srv/ChangeState": ("lifecycle_msgs/Transition transition\n---\nbool success\n"),
    "lifecycle_msgs/srv/GetState": "---\nlifecycle_msgs/State current_state\n",
    "lifecycle_msgs/srv/GetAvailableStates": ("---\nlifecycle_msgs/State[] available_states\n"),
    "lifecycle_msgs/srv/GetAvailableTransitions": (
        "---\nlifecycle_msgs/TransitionDescription[] available_transitions\n"
    ),
    "visualization_msgs/srv/GetInteractiveMarkers": (
        "---\nuint64 sequence_number\nvisualization_msgs/InteractiveMarker[] markers\n"
    ),
}

FIELD_DEFAULTS: Mapping[str, Mapping[str, float | int]] = {
    "geometry_msgs/msg/Quaternion": {"w": 1.0},
    "sensor_msgs/msg/NavSatStatus": {"status": -2},
}
