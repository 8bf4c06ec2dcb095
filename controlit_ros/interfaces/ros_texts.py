"""ROS 2 types that the type store of rosbags does not hold, field by field.

Comments of the originals are left out; they do not matter on the wire. `FIELD_DEFAULTS` names
the few fields whose default is not zero, which rosbags forgets.
"""

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "controller_manager_msgs/msg/ChainConnection": "string name\nstring[] reference_interfaces\n",
    "controller_manager_msgs/msg/ControllerState": (
        "string name\n"
        "string state\n"
        "string type\n"
        "bool is_async\n"
        "uint16 update_rate\n"
        "string[] claimed_interfaces\n"
        "string[] required_command_interfaces\n"
        "string[] required_state_interfaces\n"
        "bool is_chainable\n"
        "bool is_chained\n"
        "string[] exported_state_interfaces\n"
        "string[] reference_interfaces\n"
        "controller_manager_msgs/ChainConnection[] chain_connections\n"
    ),
    "control_msgs/msg/GripperCommand": "float64 position\nfloat64 max_effort\n",
    "control_msgs/msg/JointTolerance": (
        "string name\nfloat64 position\nfloat64 velocity\nfloat64 acceleration\n"
    ),
    "control_msgs/msg/JointComponentTolerance": (
        "uint16 X_AXIS=1\n"
        "uint16 Y_AXIS=2\n"
        "uint16 Z_AXIS=3\n"
        "uint16 TRANSLATION=4\n"
        "uint16 ROTATION=5\n"
        "string joint_name\n"
        "uint16 component\n"
        "float64 position\n"
        "float64 velocity\n"
        "float64 acceleration\n"
    ),
}

ACTIONS: Mapping[str, str] = {
    "control_msgs/action/GripperCommand": (
        "control_msgs/GripperCommand command\n"
        "---\n"
        "float64 position\n"
        "float64 effort\n"
        "bool stalled\n"
        "bool reached_goal\n"
        "---\n"
        "float64 position\n"
        "float64 effort\n"
        "bool stalled\n"
        "bool reached_goal\n"
    ),
    "control_msgs/action/ParallelGripperCommand": (
        "sensor_msgs/JointState command\n"
        "---\n"
        "sensor_msgs/JointState state\n"
        "bool stalled\n"
        "bool reached_goal\n"
        "---\n"
        "sensor_msgs/JointState state\n"
    ),
    "control_msgs/action/FollowJointTrajectory": (
        "trajectory_msgs/JointTrajectory trajectory\n"
        "trajectory_msgs/MultiDOFJointTrajectory multi_dof_trajectory\n"
        "control_msgs/JointTolerance[] path_tolerance\n"
        "control_msgs/JointComponentTolerance[] component_path_tolerance\n"
        "control_msgs/JointTolerance[] goal_tolerance\n"
        "control_msgs/JointComponentTolerance[] component_goal_tolerance\n"
        "builtin_interfaces/Duration goal_time_tolerance\n"
        "---\n"
        "int32 error_code\n"
        "int32 SUCCESSFUL=0\n"
        "int32 INVALID_GOAL=-1\n"
        "int32 INVALID_JOINTS=-2\n"
        "int32 OLD_HEADER_TIMESTAMP=-3\n"
        "int32 PATH_TOLERANCE_VIOLATED=-4\n"
        "int32 GOAL_TOLERANCE_VIOLATED=-5\n"
        "string error_string\n"
        "---\n"
        "std_msgs/Header header\n"
        "string[] joint_names\n"
        "trajectory_msgs/JointTrajectoryPoint desired\n"
        "trajectory_msgs/JointTrajectoryPoint actual\n"
        "trajectory_msgs/JointTrajectoryPoint error\n"
        "string[] multi_dof_joint_names\n"
        "trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_desired\n"
        "trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_actual\n"
        "trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_error\n"
    ),
}

SERVICES: Mapping[str, str] = {
    "controller_manager_msgs/srv/ListControllers": (
        "---\ncontroller_manager_msgs/ControllerState[] controller\n"
    ),
    "controller_manager_msgs/srv/SwitchController": (
        "string[] activate_controllers\n"
        "string[] deactivate_controllers\n"
        "int32 strictness\n"
        "int32 BEST_EFFORT=1\n"
        "int32 STRICT=2\n"
        "int32 AUTO=3\n"
        "int32 FORCE_AUTO=4\n"
        "bool activate_asap\n"
        "builtin_interfaces/Duration timeout\n"
        "---\n"
        "bool ok\n"
        "string message\n"
    ),
    "action_msgs/srv/CancelGoal": (
        "action_msgs/GoalInfo goal_info\n"
        "---\n"
        "int8 ERROR_NONE=0\n"
        "int8 ERROR_REJECTED=1\n"
        "int8 ERROR_UNKNOWN_GOAL_ID=2\n"
        "int8 ERROR_GOAL_TERMINATED=3\n"
        "int8 return_code\n"
        "action_msgs/GoalInfo[] goals_canceling\n"
    ),
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
