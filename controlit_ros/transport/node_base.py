"""NodeBase: what the transports of all middlewares have in common."""

from abc import ABC, abstractmethod
from typing import TypeVar

from controlit_ros.interfaces import TypeBook
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.names import NodeName

_Node = TypeVar("_Node", bound="NodeBase")


class NodeBase(ABC):
    """A transport's name, its types, and its use as a context manager.

    Args:
        node: Name of the node.
        book: Types the node knows.
    """

    def __init__(self, node: NodeName, book: TypeBook) -> None:
        self._node = node
        self._book = book

    @property
    def node_name(self) -> str:
        """Name of the node, without namespace."""
        return self._node.name

    @property
    def namespace(self) -> str:
        """Absolute namespace of the node, `/` for none."""
        return self._node.namespace

    @abstractmethod
    def close(self) -> None:
        """Close everything that was made here; fast and idempotent."""

    def __enter__(self: _Node) -> _Node:  # noqa: PYI019 (typing.Self needs Python 3.11)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._node.full_name!r})"

    def _topic(self, topic: str, type_name: str) -> Endpoint:
        return Endpoint(self._node.resolve(topic), self._book.definition(type_name).name)

    def _service(self, service: str, type_name: str) -> Endpoint:
        return Endpoint(self._node.resolve(service), self._book.service(type_name).name)
