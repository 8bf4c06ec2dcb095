"""Names of nodes, topics and services by the rules of ROS 2."""

from dataclasses import dataclass

from controlit_ros.errors import show
from controlit_ros.ros_names import fault_of_token

from .errors import InvalidNameError

LONGEST_NAME = 240
"""DDS allows 256 characters for a topic, which ROS lengthens by prefixes and suffixes."""


@dataclass(frozen=True)
class NodeName:
    """The name of a node in its namespace, which relative names are resolved against.

    Attributes:
        namespace: absolute, `/` for none.
        name: one token.
    """

    namespace: str
    name: str

    @classmethod
    def of(cls, name: str, namespace: str = "/") -> "NodeName":
        """Return the checked name; a namespace without leading slash gets one.

        Raises:
            InvalidNameError: the node or the namespace is not named by the rules.
        """
        _check_token(name, "node name", name)
        tokens = [token for token in namespace.split("/") if token]
        for token in tokens:
            _check_token(token, "namespace", namespace)
        return cls(f"/{'/'.join(tokens)}", name)

    @property
    def full_name(self) -> str:
        """Absolute name, `/namespace/name`."""
        return f"{self.namespace.rstrip('/')}/{self.name}"

    def resolve(self, name: str) -> str:
        """Return the absolute name of a topic or service.

        `/a/b` stays, `a/b` is looked for in the namespace, `~/a` below the node.

        Raises:
            InvalidNameError: the name breaks the rules; the text says which.
        """
        if name.startswith("~/"):
            absolute = f"{self.full_name}/{name[2:]}"
        elif name.startswith("/"):
            absolute = name
        else:
            absolute = f"{self.namespace.rstrip('/')}/{name}"
        if not name or name.endswith("/") or "//" in name:
            text = f"name {name!r}: expected tokens separated by single slashes"
            raise InvalidNameError(text, name)
        for token in absolute[1:].split("/"):
            _check_token(token, "name", name)
        if len(absolute) > LONGEST_NAME:
            raise InvalidNameError(
                f"name {show(name)}: found {len(absolute)} characters, "
                f"expected at most {LONGEST_NAME}",
                name,
            )
        return absolute


def _check_token(token: str, what: str, whole: str) -> None:
    fault = fault_of_token(token)
    if fault:
        raise InvalidNameError(f"{what} {whole!r}: {fault}", whole)
