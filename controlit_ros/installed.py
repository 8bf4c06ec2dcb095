"""What installed packages offer by entry points."""

import ast
import sys
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from controlit_ros.errors import ControlItError

PREFIX = "controlit."
"""How the groups of plugins begin."""

OURS = "controlit"

_registered: list[metadata.EntryPoint] = []


class PluginError(ControlItError):
    """A plugin does not exist or cannot be loaded."""


def entry_points(group: str) -> metadata.EntryPoints:
    """Return the entry points of a group; a package that joins the path later is seen as well."""
    found: metadata.EntryPoints = _of_group(tuple(sys.path), group)
    return found


def plugins(group: str) -> dict[str, metadata.EntryPoint]:
    """Return the plugins of a group by name, sorted; none is imported and none replaces ours."""
    offered = [*entry_points(group), *(entry for entry in _registered if entry.group == group)]
    found: dict[str, metadata.EntryPoint] = {}
    for entry in sorted(offered, key=lambda entry: (entry.name, package(entry) != OURS)):
        found.setdefault(entry.name, entry)
    return found


def register(group: str, plugin: type[Any]) -> None:
    """Add a class to the plugins of this process, under its own name, without a package.

    For scripts; what shall serve every program belongs into the entry points of a package.

    Args:
        group: Such as `controlit.tasks`.
        plugin: A class of a module's top level.

    Raises:
        PluginError: There is a plugin of that name already, or the class is inside of something.
    """
    name = plugin.__name__
    if "." in plugin.__qualname__:
        raise PluginError(f"found {plugin.__qualname__}, expected a class of a module's top level")
    known = plugins(group).get(name)
    value = f"{plugin.__module__}:{name}"
    if known is None:
        _registered.append(metadata.EntryPoint(name, value, group))
    elif known.value != value:
        raise PluginError(f"there is a plugin {name!r} of {group} already: {known.value}")


def groups() -> list[str]:
    """Return the groups that plugins are installed in, sorted."""
    return sorted(group for group in _scan(tuple(sys.path)).groups if group.startswith(PREFIX))


def package(entry: metadata.EntryPoint) -> str:
    """Return the name of the package that offers a plugin, empty if it has none."""
    return _name(entry.dist) if entry.dist else ""


def load(entry: metadata.EntryPoint, title: str) -> Any:
    """Import a plugin.

    Args:
        entry: Of the plugin.
        title: What its kind is called in an error: "task type".

    Raises:
        PluginError: It cannot be imported, whatever its module raised.
    """
    try:
        return entry.load()
    except Exception as error:  # a third party's module may fail in any way
        raise PluginError(
            f"{named(entry, title)} cannot be loaded from {entry.value}: "
            f"{type(error).__name__}: {error}"
        ) from error


def load_class(entry: metadata.EntryPoint, title: str) -> type[Any]:
    """Import a plugin that is a class.

    Raises:
        PluginError: It cannot be imported, or it is no class.
    """
    loaded = load(entry, title)
    if not isinstance(loaded, type):
        raise PluginError(f"{named(entry, title)} is no class: {entry.value} is {loaded!r}")
    return loaded


def named(entry: metadata.EntryPoint, title: str) -> str:
    """Return how a message names a plugin."""
    origin = package(entry)
    return f"the {title} {entry.name!r}" + (f" of {origin}" if origin else "")


def summary(entry: metadata.EntryPoint) -> str:
    """Return the first line of the docstring of a module or class, without importing it.

    Importing all that a list names would take seconds. What cannot be read has no line.
    """
    try:
        spec = find_spec(entry.module)
        if spec is None or spec.origin is None:
            return ""
        node: ast.AST = ast.parse(Path(spec.origin).read_bytes())
    except (ImportError, OSError, SyntaxError, ValueError):
        return ""
    for name in filter(None, (entry.attr or "").split(".")):
        found = [
            part
            for part in getattr(node, "body", ())
            if isinstance(part, ast.ClassDef) and part.name == name
        ]
        if not found:
            return ""
        node = found[-1]
    if not isinstance(node, ast.Module | ast.ClassDef):
        return ""
    return (ast.get_docstring(node) or "").partition("\n")[0]


@lru_cache(maxsize=256)
def _name(distribution: metadata.Distribution) -> str:
    """Return the name of a package, whose description is read and parsed for it each time."""
    return str(distribution.name)


@lru_cache(maxsize=64)
def _of_group(path: tuple[str, ...], group: str) -> Any:
    """Look at each entry point once a group: that takes a millisecond, and one goes by often."""
    return _scan(path).select(group=group)


@lru_cache(maxsize=1)
def _scan(_path: tuple[str, ...]) -> Any:  # Python 3.10 has a type of its own for it
    """Read every package's once: that takes milliseconds, and a controller asks dozens of times."""
    return metadata.entry_points()
