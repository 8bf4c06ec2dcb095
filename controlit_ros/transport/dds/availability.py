"""Where Cyclone DDS can be had, and what to do elsewhere."""

import platform


def reason() -> str:
    """Say why the library is missing here and what else there is."""
    return (
        "the library cyclonedds is not installed. It has wheels for Python 3.10 to 3.13 on Linux "
        f"x86-64 and on macOS; this is Python {platform.python_version()} on {platform.system()} "
        f"{platform.machine()}. Instead: rclpy, from a sourced ROS 2, or for a controller that "
        "nobody outside its process sees, the transport local"
    )
