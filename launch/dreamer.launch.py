"""Start a controller of Dreamer on its simulation, with what ROS 2 programs expect around it."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from controlit_ros.cli.plain_values import read_value
from controlit_ros.configuration import load_configuration
from controlit_ros.share import share_directory
from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity

STOP_PATIENCE = "5"  # [s] between SIGINT and SIGTERM; a servo ends within two


def generate_launch_description() -> LaunchDescription:
    """Return the description; nothing is looked for before it is launched."""
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "config",
                default_value="hands",
                description="Configuration: a name out of config/dreamer (hands, hands_3d, ...) or "
                "a path.",
            ),
            DeclareLaunchArgument(
                "robot",
                default_value="",
                description="URDF of the robot: a path or package://...; empty: as configured.",
            ),
            DeclareLaunchArgument(
                "namespace",
                default_value="",
                description="Name of the controller and namespace of its topics; empty: as "
                "configured.",
            ),
            DeclareLaunchArgument(
                "transport",
                default_value="auto",
                description="How the servo talks: rclpy, dds (ROS 2's wire without it), or auto.",
            ),
            DeclareLaunchArgument(
                "lifecycle",
                default_value="active",
                description="How far the servo goes by itself: unconfigured, inactive or active.",
            ),
            DeclareLaunchArgument(
                "use_sim_time",
                default_value="false",
                description="Whether robot_state_publisher and RViz take their time from /clock.",
            ),
            DeclareLaunchArgument(
                "rviz", default_value="false", description="Whether to start RViz."
            ),
            OpaqueFunction(function=_nodes),
        ]
    )


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    def argument(name: str) -> str:
        return str(LaunchConfiguration(name).perform(context))

    path = _configuration(argument("config"))
    overrides = {"name": argument("namespace"), "robot_description": argument("robot")}
    stated = {key: value for key, value in overrides.items() if value}
    configuration = load_configuration(path, stated)
    words = ["run", str(path), "--transport", argument("transport")]
    words += ["--lifecycle", argument("lifecycle")]
    for key, value in stated.items():
        words += ["--set", f"{key}={value}"]
    servo = Node(
        package="controlit",
        executable="controlit",
        arguments=words,
        output="screen",
        emulate_tty=True,
        sigterm_timeout=STOP_PATIENCE,
    )
    use_sim_time = {"use_sim_time": bool(read_value(argument("use_sim_time"), "use_sim_time"))}
    urdf = configuration.read_robot_description().urdf
    states = _if_installed(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        namespace=configuration.name,  # there it finds joint_states
        parameters=[{"robot_description": urdf, **use_sim_time}],
    )
    entities: list[LaunchDescriptionEntity] = [servo, states]
    if read_value(argument("rviz"), "rviz"):
        layout = share_directory() / "config" / "rviz" / "dreamer.rviz"
        rviz = _if_installed(
            package="rviz2",
            executable="rviz2",
            namespace=configuration.name,
            arguments=["-d", str(layout)],
            parameters=[use_sim_time],
        )
        entities.append(rviz)
    return entities


def _configuration(name: str) -> Path:
    shipped = share_directory() / "config" / "dreamer" / f"{name}.yaml"
    return shipped if shipped.is_file() else Path(name).expanduser()


def _if_installed(**node: object) -> LaunchDescriptionEntity:
    """Return a node, or a remark where its package is not installed."""
    try:
        get_package_prefix(str(node["package"]))
    except PackageNotFoundError:
        return LogInfo(msg=f"{node['package']} is not installed and does not run")
    return Node(**node)
