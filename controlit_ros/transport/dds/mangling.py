"""Names of ROS 2 and what they are called on the wire."""

from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role

REQUEST_SUFFIX = "Request"
REPLY_SUFFIX = "Reply"


def topic_name(name: str) -> str:
    """Return the DDS topic of a ROS topic."""
    return f"rt{name}"


def request_topic(service: str) -> str:
    """Return the DDS topic that carries the requests of a service."""
    return f"rq{service}{REQUEST_SUFFIX}"


def reply_topic(service: str) -> str:
    """Return the DDS topic that carries the replies of a service."""
    return f"rr{service}{REPLY_SUFFIX}"


def dds_type(type_name: str) -> str:
    """Return the DDS type of a message type: `a/msg/B` becomes `a::msg::dds_::B_`."""
    package, kind, name = type_name.split("/")
    return f"{package}::{kind}::dds_::{name}_"


def ros_type(dds_type_name: str) -> str:
    """Return the message type of a DDS type; names that are not of ROS stay as they are."""
    parts = dds_type_name.split("::")
    if len(parts) == 4 and parts[2] == "dds_" and parts[3].endswith("_"):
        return f"{parts[0]}/{parts[1]}/{parts[3][:-1]}"
    return dds_type_name


def role_of(dds_topic: str, dds_type_name: str, *, is_reader: bool) -> tuple[Role, Endpoint] | None:
    """Return what a DDS endpoint is to ROS, or None for none of its business.

    A service has two topics; its request topic stands for it.
    """
    prefix, slash, rest = dds_topic.partition("/")
    type_name = ros_type(dds_type_name)
    if slash and prefix == "rt":
        role = Role.SUBSCRIPTION if is_reader else Role.PUBLISHER
        return role, Endpoint(f"/{rest}", type_name)
    if slash and prefix == "rq" and rest.endswith(REQUEST_SUFFIX):
        role = Role.SERVER if is_reader else Role.CLIENT
        name = f"/{rest.removesuffix(REQUEST_SUFFIX)}"
        return role, Endpoint(name, type_name.removesuffix("_Request"))
    return None


def user_data(**values: str) -> bytes:
    """Return the USER_DATA that says `key=value;` for each."""
    return "".join(f"{key}={value};" for key, value in values.items()).encode()


def parse_user_data(data: bytes) -> dict[str, str]:
    """Return the keys and values of USER_DATA; what is none of ours gives none."""
    pairs = (part.partition("=") for part in data.decode(errors="replace").split(";"))
    return {key: value for key, equals, value in pairs if equals}
