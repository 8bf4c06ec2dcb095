"""The embedded transport on Cyclone DDS."""

from .settings import DdsSettings
from .transport import DdsTransport

__all__ = ["DdsSettings", "DdsTransport"]
