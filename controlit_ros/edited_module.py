"""EditedModule: a module whose file was edited while its classes are in use."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from controlit_ros.errors import ControlItError, told

CORE = "controlit_ros"
"""Its parts know each other's classes, of which there must be one each."""


class NotReloadableError(ControlItError):
    """A class stays as it is; the text says why."""


class EditedModule(NamedTuple):
    """The text of a module as it is now.

    Attributes:
        name: Of the module.
        path: Of its file.
        text: What the file holds.
    """

    name: str
    path: str
    text: bytes

    @classmethod
    def of(cls, used: type[Any]) -> "EditedModule":
        """Read the module that defines a class.

        Raises:
            NotReloadableError: It cannot be read, or must not be run again.
        """
        name = used.__module__
        path = getattr(sys.modules.get(name), "__file__", None)
        found = f"found the class {used.__name__} in {path or f'the module {name}, without a file'}"
        if name.partition(".")[0] == CORE:
            raise NotReloadableError(
                f"{found}, which is a part of controlit that other parts know; expected a class of "
                "another package, such as `controlit new task` begins"
            )
        if name == "__main__":
            raise NotReloadableError(
                f"{found}, the script that runs, which would begin again; expected a class in a "
                "module of its own"
            )
        if path is None or not path.endswith(".py"):
            raise NotReloadableError(f"{found}; expected one in a file of Python, NAME.py")
        try:
            return cls(name, path, Path(path).read_bytes())
        except OSError as error:
            raise NotReloadableError(f"{path} cannot be read: {error.strerror}") from None

    @contextmanager
    def tried(self, used: type[Any], base: type[Any]) -> Iterator[None]:
        """Run the text, and let the new class be known in the place of the one in use.

        If the block raises, all is as it was.

        Args:
            used: A class of the module.
            base: What the class of the same name must be derived from.

        Raises:
            NotReloadableError: The text cannot be run, or has no such class.
        """
        former, fresh = sys.modules[self.name], self._new_module()
        sys.modules[self.name] = fresh
        try:
            self._run(fresh)
            new = self._find(fresh, used, base)
            places = [*_places(used)]
            _put(places, new)
            try:
                yield
            except BaseException:
                _put(places, used)
                raise
        except BaseException:
            sys.modules[self.name] = former
            raise
        _tell_parent(self.name, fresh)

    def _new_module(self) -> ModuleType:
        spec = sys.modules[self.name].__spec__
        if spec is None:
            raise NotReloadableError(f"the module {self.name} was not imported in the usual way")
        return module_from_spec(spec)

    def _run(self, module: ModuleType) -> None:
        # not by the loader: what it has compiled and kept is known by a time in whole seconds
        try:
            exec(compile(self.text, self.path, "exec"), module.__dict__)  # noqa: S102 - as `import`
        except SyntaxError as error:
            text = f"{error.filename}:{error.lineno}: {error.msg}"
            raise NotReloadableError(text) from None
        except Exception as error:
            raise NotReloadableError(f"{self._place(error)}: {told(error)}") from error

    def _find(self, module: ModuleType, used: type[Any], base: type[Any]) -> type[Any]:
        found: Any = module
        for part in used.__qualname__.split("."):
            found = getattr(found, part, None)
        if not (isinstance(found, type) and issubclass(found, base)):
            raise NotReloadableError(
                f"{self.path}: found no {used.__qualname__}, expected a {base.__name__} of that "
                "name"
            )
        return found

    def _place(self, error: BaseException) -> str:
        """Return where in the file an error came up: the last line that led to it."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == self.path]
        return f"{self.path}:{lines[-1]}" if lines else self.path


def _places(used: type[Any]) -> Iterator[tuple[ModuleType, str]]:
    """Yield where else in its package a class is known by name."""
    root = used.__module__.partition(".")[0]
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] == root:
            for attribute, value in tuple(vars(module).items()):
                if value is used:
                    yield module, attribute


def _put(places: list[tuple[ModuleType, str]], known: type[Any]) -> None:
    for module, attribute in places:
        setattr(module, attribute, known)


def _tell_parent(name: str, module: ModuleType) -> None:
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)
