"""The embedded transport on Cyclone DDS."""

from .availability import reason

try:
    import cyclonedds
except ModuleNotFoundError as error:
    raise ImportError(reason()) from error

from .settings import DdsSettings
from .transport import DdsTransport
