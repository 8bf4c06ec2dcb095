"""The transport within one process."""

from .transport import LocalTransport
