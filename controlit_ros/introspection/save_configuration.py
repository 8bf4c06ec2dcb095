"""The service `control/saveConfiguration`: the running state as a file."""

from collections.abc import Callable, Sequence
from pathlib import Path

from controlit_ros.configuration import load_configuration
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.introspection.save_target import SaveTarget
from controlit_ros.parameters import RemoteAccess
from controlit_ros.parameters.remote_mailbox import CONFIGURATION
from controlit_ros.transport import Transport

TYPE = "controlit/srv/SaveConfiguration"


class SaveConfiguration:
    """Serves `control/saveConfiguration`.

    Args:
        running_text: Returns the running state as the text of a configuration; takes the folder it
            will be stored in, if any.
        folders: Below which files may be written.
        transport: The service is relative to its namespace.
        access: Whether files may be written at all.
    """

    def __init__(
        self,
        running_text: Callable[[Path | None], str],
        folders: Sequence[Path],
        transport: Transport,
        access: RemoteAccess,
    ) -> None:
        self._access = access
        self._running_text = running_text
        self._folders = folders
        serve(transport, "control/saveConfiguration", TYPE, self._save)

    def _save(self, request: Message) -> Message:
        if not request.path:
            text = self._running_text(None)
            load_configuration(text)
            return new(f"{TYPE}_Response", success=True, configuration=text)
        self._access.check(CONFIGURATION, "a file")
        target = SaveTarget(request.path, self._folders)
        target.check(overwrite=request.overwrite)
        text = self._running_text(target.path.parent)
        target.write(text, load_configuration, overwrite=request.overwrite)
        return new(f"{TYPE}_Response", success=True, path=str(target.path), configuration=text)
