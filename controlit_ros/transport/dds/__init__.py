"""The embedded transport on Cyclone DDS."""

from controlit_ros.imported_later import imported_later

from .availability import reason

try:
    with imported_later("asyncio"):  # 2 MB and 3 % of a start, for who awaits samples; we do not
        import cyclonedds
except ModuleNotFoundError as error:
    raise ImportError(reason()) from error

from .settings import DdsSettings
from .transport import DdsTransport
