"""Packages that begin something of one's own: a task, a constraint, a controller, a client."""

import keyword
import re
from enum import Enum
from pathlib import Path
from string import Template
from typing import NamedTuple

from controlit_ros.errors import ControlItError

TEMPLATES = Path(__file__).parent / "packages"
COMMON = "common"  # folder of what all kinds have
PLUGIN = "plugin"  # folder of what all have but clients
ENDING = ".in"  # of templates
NAME = "NAME"  # stands for the package's in names of files
PACKAGE = "package"  # folder that becomes the Python package


class PackagePlan(NamedTuple):
    """What a kind of package holds.

    Attributes:
        folders: Of its templates, beside those of all kinds.
        description: One line; `{}` becomes the class.
        group: Of its entry point.
        entry: Of that group.
        about: What such a thing does.
    """

    folders: tuple[str, ...]
    description: str
    group: str
    entry: str = "$Class = $name.$name:$Class"
    about: str = ""


class OwnPackage(Enum):
    """Kinds of packages."""

    TASK = PackagePlan(
        (PLUGIN, "task"),
        "The task {} for controlit.",
        "controlit.tasks",
        about="A task says what it measures and how that moves with the joints.",
    )
    CONSTRAINT = PackagePlan(
        (PLUGIN, "constraint"),
        "The constraint {} for controlit.",
        "controlit.constraints",
        about="A constraint adds rows to Jc; tasks are fulfilled within what it leaves.",
    )
    CONTROLLER = PackagePlan(
        (PLUGIN, "controller"),
        "The whole-body controller {} for controlit.",
        "controlit.whole_body_controllers",
        about="A controller writes an effort for each command joint; limits and the safe state are "
        "the servo's.",
    )
    CLIENT = PackagePlan(
        ("client",),
        "A program that steers a controller of controlit.",
        "console_scripts",
        "$name = $name.$name:main",
    )


def write_package(kind: OwnPackage, name: str, parent: Path) -> Path:
    """Write a package that installs with pip and colcon, runs and has a test that passes.

    Args:
        kind: What it begins.
        name: Of the package; in words of small letters joined by `_`.
        parent: Folder in which it is made.

    Returns:
        Its folder.

    Raises:
        ControlItError: The name is no package's, the folder exists, or cannot be written.
    """
    _check_name(name)
    folder = parent / name
    texts = dict(_texts(kind, name))
    try:
        folder.mkdir(parents=True)
        for path, text in texts.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    except FileExistsError:
        raise ControlItError(f"{folder} exists; choose another name or folder") from None
    except OSError as error:
        raise ControlItError(f"{folder}: {error.strerror}") from None
    return folder


def class_of(name: str) -> str:
    """Return the name of the class in a package."""
    return "".join(word.capitalize() for word in name.split("_"))


def _check_name(name: str) -> None:
    if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) and not keyword.iskeyword(name):
        return
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    nearest = "_".join(re.findall(r"[a-z0-9]+", words)).lstrip("0123456789_")
    hint = f", such as {nearest!r}" if nearest and not keyword.iskeyword(nearest) else ""
    raise ControlItError(
        f"name of a package: found {name!r}, expected words of small letters joined by '_'{hint}"
    )


def _texts(kind: OwnPackage, name: str) -> list[tuple[str, str]]:
    """Return path and text of each file."""
    words = {"name": name, "Class": class_of(name)}
    words["description"] = kind.value.description.format(words["Class"])
    words |= {"group": kind.value.group, "about": kind.value.about}
    words["entry"] = Template(kind.value.entry).substitute(words)
    return [
        (_target(template.relative_to(folder), name), _filled(template, words))
        for folder in (TEMPLATES / part for part in (COMMON, *kind.value.folders))
        for template in sorted(folder.rglob(f"*{ENDING}"))
    ]


def _target(path: Path, name: str) -> str:
    inner, *others = path.parts
    parts = [name if inner == PACKAGE else inner, *others]
    return "/".join(parts).replace(NAME, name).removesuffix(ENDING)


def _filled(template: Path, words: dict[str, str]) -> str:
    return Template(template.read_text(encoding="utf-8")).substitute(words)
