"""Remapping: other names for nodes, topics and services than a program gives them."""

from collections.abc import Sequence

from controlit_ros.ros_arguments import NODE, Remap, process_remaps, pushed_namespace

from .names import NodeName

HIDDEN = "_"
"""How names of nodes begin that are parts of another node, which tells of the transport."""

TOPIC, SERVICE = "rostopic", "rosservice"


def own_name(node_name: str, namespace: str = "/") -> NodeName:
    """Return the name that a node of this process gets.

    A namespace on the command line (`-r __ns:=/robot1`) is put before the node's own, as launch
    pushes it, and does not replace it. Another name (`-r __node:=arm`) is for nodes that others
    see; hidden ones keep theirs, so that no two are called the same.

    Raises:
        InvalidNameError: The node or the namespace is not named by the rules.
        RosArgumentError: The arguments of the process mean nothing to ROS 2.
    """
    name = node_name
    if not node_name.startswith(HIDDEN):
        rules = process_remaps()
        name = next((rule.target for rule in rules if rule.is_for(node_name, NODE)), node_name)
    return NodeName.of(name, f"{pushed_namespace(node_name)}/{namespace}")


class Remapping:
    """Replaces names of topics and services by the rules of a command line.

    Args:
        node: Name of the node, which relative names are resolved against.
        rules: The first that fits counts; by default those of the process.

    Raises:
        RosArgumentError: The arguments of the process mean nothing to ROS 2.
    """

    def __init__(self, node: NodeName, rules: Sequence[Remap] | None = None) -> None:
        self._node = node
        self._rules = tuple(
            rule
            for rule in (process_remaps() if rules is None else rules)
            if rule.node in ("", node.name) and not rule.source.startswith("__")
        )

    def topic(self, name: str) -> str:
        """Return the name of a topic; both are absolute.

        Raises:
            InvalidNameError: The rule for it holds a name that breaks the rules of names.
        """
        return self._renamed(name, TOPIC)

    def service(self, name: str) -> str:
        """Return the name of a service; both are absolute; raises as `topic` does."""
        return self._renamed(name, SERVICE)

    def _renamed(self, name: str, kind: str) -> str:
        for rule in self._rules:
            if rule.kind in ("", kind) and self._node.resolve(rule.source) == name:
                return self._node.resolve(rule.target)
        return name
