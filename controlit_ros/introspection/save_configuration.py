"""The service `control/saveConfiguration`: the running state as a file."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.transport import Transport

TYPE = "controlit/srv/SaveConfiguration"
MODE = 0o644  # [-] as editors create files


class SaveError(ControlItError):
    """The file cannot be written."""


class SaveConfiguration:
    """Serves `control/saveConfiguration`.

    Args:
        running_text: Returns the running state as the text of a configuration; takes the folder it
            will be stored in, if any.
        transport: The service is relative to its namespace.
    """

    def __init__(self, running_text: Callable[[Path | None], str], transport: Transport) -> None:
        self._running_text = running_text
        serve(transport, "control/saveConfiguration", TYPE, self._save)

    def _save(self, request: Message) -> Message:
        if not request.path:
            text = self._running_text(None)
            load_configuration(text)
            return new(f"{TYPE}_Response", success=True, configuration=text)
        path = _target(request.path, overwrite=request.overwrite)
        text = self._running_text(path.parent)
        _write(path, text)
        return new(f"{TYPE}_Response", success=True, path=str(path), configuration=text)


def _target(name: str, *, overwrite: bool) -> Path:
    path = Path(name).expanduser()
    if not path.is_absolute():
        raise SaveError(f"found the path {name!r}, expected an absolute one or ~/...")
    if path.is_dir():
        raise SaveError(f"{path} is a folder, expected the name of a file")
    if not path.parent.is_dir():
        raise SaveError(f"there is no folder {path.parent}")
    if path.exists() and not overwrite:
        raise SaveError(f"{path} exists; it is replaced with --force (overwrite: true)")
    return path


def _write(path: Path, text: str) -> None:
    """Write a file that can be loaded, or none; who reads it meanwhile sees the old or the new."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, suffix=path.suffix, delete=False
        ) as file:
            file.write(text)
        temporary = Path(file.name)
    except OSError as error:
        raise SaveError(f"cannot write {path}: {error.strerror}") from None
    try:
        load_configuration(temporary)
        temporary.chmod(MODE)
        temporary.replace(path)
    except OSError as error:
        raise SaveError(f"cannot write {path}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
