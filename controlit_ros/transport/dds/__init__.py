"""The embedded transport on Cyclone DDS."""

from .availability import reason

try:
    import cyclonedds  # noqa: F401 - only whether it is there
except ModuleNotFoundError as error:
    raise ImportError(reason()) from error

from .settings import DdsSettings
from .transport import DdsTransport

__all__ = ["DdsSettings", "DdsTransport"]
