"""No room uses one below it in docs/architecture.md, no module itself by way of others."""

import ast
import re
from graphlib import TopologicalSorter

import pytest
from robots_for_tests import REPOSITORY

CORE = "controlit_ros"
DOORS = {"plugins", "scripting"}  # what is made elsewhere comes in by them
GUESTS = ("controlit_demos", "controlit_bench", "controlit_console")
SHARED = {path.stem for path in (REPOSITORY / CORE).glob("*.py")} - {"__init__", *DOORS}


def rooms():
    """Return the rooms from top to bottom, as the page lists them."""
    page = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Rooms")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


ROOMS = rooms()


def room_of(module):
    """Return the room of a module; `None` if it is none of ours."""
    top, _, rest = module.partition(".")
    if top in GUESTS:
        return top
    return (rest.partition(".")[0] or CORE) if top == CORE else None


def imports(path):
    """Yield the module of every import of a file, those in functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from names if node.module == CORE else [node.module]


def arrows(room):
    """Yield what the files of a room import: file, room."""
    folder = REPOSITORY / room if room in GUESTS else REPOSITORY / CORE / room
    for path in folder.rglob("*.py"):
        for module in imports(path):
            if room_of(module) not in (None, room):
                yield path.relative_to(REPOSITORY), room_of(module)


def test_the_table_lists_every_room_once():
    folders = {path.parent.name for path in (REPOSITORY / CORE).glob("*/__init__.py")}
    assert sorted(ROOMS) == sorted(folders | set(GUESTS))


def test_no_two_files_of_tests_have_one_name():
    """They have no packages around them, so that pytest takes the first of a name for each."""
    names = [
        path.name for path in (REPOSITORY / "test").rglob("*.py") if path.name != "conftest.py"
    ]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


def test_no_two_classes_have_one_name():
    found = {}
    for folder in (CORE, *GUESTS):
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
                found.setdefault(name, []).append(str(path.relative_to(REPOSITORY)))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_those_above_it(room):
    allowed = {*ROOMS[: ROOMS.index(room)], *SHARED, "__version__"}
    if room in GUESTS:
        allowed |= DOORS
    found = [f"{path} imports {target}" for path, target in arrows(room) if target not in allowed]
    assert not found


@pytest.mark.parametrize("name", sorted(SHARED))
def test_what_all_use_uses_none(name):
    found = {room_of(module) for module in imports(REPOSITORY / CORE / f"{name}.py")}
    assert found <= {*SHARED, None}


def modules():
    """Return every module of ours by name, and the modules it imports, those for types included."""
    paths = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in (CORE, *GUESTS)
        for path in (REPOSITORY / folder).rglob("*.py")
    }
    return {name: set(targets(name, path, paths)) - {name} for name, path in paths.items()}


def targets(name, path, known):
    above = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            start = above[: len(above) + 1 - node.level] if node.level else []
            base = ".".join([*start, *filter(None, [node.module])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield from (found for found in (full if full in known else base,) if found in known)


def test_no_module_uses_itself_by_way_of_others():
    graph = modules()
    assert len(graph) > 800
    assert "controlit_ros.transport.port" in graph["controlit_ros.transport.transport_base"]
    assert "controlit_ros.client.session" in graph["controlit_ros.client.robot"]
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle


def test_an_arrow_upwards_is_seen():
    upwards = [target for _, target in arrows("cli")]
    assert "nodes" in upwards
    assert "nodes" not in ROOMS[: ROOMS.index("servo")]
