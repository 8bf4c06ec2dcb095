"""Files that are broken in any place."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from hostile import NUMBERS, TEXTS
from robots_for_tests import REPOSITORY
from ruamel.yaml import YAML
from trial import TrialClass

from controlit_ros.configuration import ConfigurationError
from controlit_ros.nodes.assembly import assemble
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import compute_cycle, start_of

FILES = tuple(
    path
    for path in sorted((REPOSITORY / "config").glob("*/*.yaml"))
    if "constraint_set" in path.read_text(encoding="utf-8")
)
WAYS = ("value", "drop", "double", "bytes", "indent", "nest", "swap", "cut")
VALUES = (
    "[]", "{}", "[[1, [2]]]", "null", "yes", "!!python/object:os.system x", "&a [*a]", "*nobody",
    "1e400", "0x7fffffffffffffffff", "2026-01-01", "- x", "{a: {b: c}}", "'\\0'", "9" * 400,
)  # fmt: skip
DEEPEST = 3000
EVEN = 0.5  # [-] chance
TREE_WAYS = ("replace",) * 5 + ("drop", "double", "nest", "swap")
ENTRIES: tuple[Any, ...] = (
    [], {}, None, [1, 2], {"a": 1}, ["x"], [None], [["a"]], [{}], 0, -1, 1e308, -1e308, 1e-308,
    5e-324, float("nan"), float("inf"), 10**400, 1e30, -1e30, 1e9, 1e-12, 2**63, "", "x", "nan",
    "../..", "/dev/zero", "a" * 5000, "\u2028", "Posture.kp", True, False, {"x": {"y": {"z": []}}},
    [1e300] * 3, [0, 0, 0], [0, 0, 0, 0], [1e-300] * 3, "robot", "/", "diagnostics/state",
)  # fmt: skip


class FileTrials(TrialClass):
    """A configuration of ours with something wrong in it: an error that says so, or it runs."""

    name = "files"
    share = 500
    least = 10

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def run(self, rng: np.random.Generator) -> str | None:
        """Break a file and load it."""
        source = FILES[rng.integers(len(FILES))]
        way = break_text if rng.random() < EVEN else break_tree
        broken = way(source.read_bytes(), rng)
        path = Path(self._folder.name) / source.name
        path.write_bytes(broken)
        for neighbour in source.parent.glob("*.xml"):
            (path.parent / neighbour.name).write_bytes(neighbour.read_bytes())
        return judge(path)

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()


def judge(path: Path, overrides: Mapping[str, Any] | None = None) -> str | None:
    """Check a file as `controlit check` does; where that succeeds, run one cycle."""
    lines = path.read_bytes().count(b"\n") + 1
    try:
        assemble(load_stack(path, overrides)).transport.close()
    except ConfigurationError as error:
        if not all(problem.message.strip() for problem in error.problems) or not error.problems:
            return f"{path.name}: an error without a word"
        if not all(1 <= problem.line <= lines for problem in error.problems):
            return f"{path.name}: {error} is beyond the file of {lines} lines"
        return None
    stack = load_stack(path, overrides)
    result = compute_cycle(stack, start_of(stack))
    if not np.isfinite(result["effort"]).all():
        return f"{path.name}: found {result['effort']}, expected finite efforts"
    return None


def break_tree(text: bytes, rng: np.random.Generator) -> bytes:
    """Return the file with one of its entries replaced, dropped, doubled or nested."""
    data = YAML(typ="safe", pure=True).load(text)
    holders = list(_holders(data))
    holder, key = holders[rng.integers(len(holders))]
    way = str(rng.choice(TREE_WAYS))
    if way == "drop":
        del holder[key]
    elif way == "double" and isinstance(holder, list):
        holder.insert(int(key), holder[int(key)])
    elif way == "nest":
        holder[key] = {"a": holder[key]} if rng.random() < EVEN else [holder[key]]
    elif way == "swap":
        other, other_key = holders[rng.integers(len(holders))]
        holder[key] = deepcopy(other[other_key])
    else:
        holder[key] = deepcopy(ENTRIES[rng.integers(len(ENTRIES))])
    return json.dumps(data, indent=1).encode()


def _holders(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every entry as what holds it and its key there."""
    for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        yield data, key
        if isinstance(value, dict | list):
            yield from _holders(value)


def break_text(text: bytes, rng: np.random.Generator) -> bytes:
    """Return the text with one thing changed that a hand or a program could get wrong."""
    way = str(rng.choice(WAYS))
    lines = text.splitlines(keepends=True)
    chosen = [i for i, line in enumerate(lines) if b":" in line and not line.startswith(b"#")]
    number = int(rng.choice(chosen))
    line = lines[number]
    key = line.split(b":", 1)[0]
    if way == "value":
        values = [*map(str, NUMBERS), *map(repr, TEXTS), *VALUES]
        lines[number] = key + b": " + str(rng.choice(values)).encode() + b"\n"
    elif way == "drop":
        del lines[number]
    elif way == "double":
        lines.insert(number, line)
    elif way == "bytes":
        position = int(rng.integers(len(text)))
        return text[:position] + rng.bytes(int(rng.integers(1, 9))) + text[position:]
    elif way == "indent":
        lines[number] = b" " * int(rng.integers(1, 9)) + line
    elif way == "nest":
        depth = int(rng.integers(1, DEEPEST))
        lines[number] = key + b": " + b"[" * depth + b"]" * depth + b"\n"
    elif way == "swap":
        other = int(rng.choice(chosen))
        lines[number], lines[other] = lines[other], lines[number]
    else:
        return text[: int(rng.integers(len(text)))]
    return b"".join(lines)
