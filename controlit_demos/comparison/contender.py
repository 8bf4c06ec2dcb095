"""Contenders: the controllers that are set beside each other, and the file of each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from controlit_ros.regular_file import opened_to_write

QUADRATIC, PROJECTING = "WholeBodyQP", "WBOSC"
CONTENDERS = (QUADRATIC, PROJECTING)
"""Whom the verdict is about, and who stands beside it."""

SETTINGS = {"reach_lower_levels": True, "singularity_handling": "damp"}
"""Of `WBOSC`: levels make up for those above, and let go of directions that they lose."""


def file_of(contender: str, file: Path, folder: Path) -> Path:
    """Return the file that a contender runs with: the one given, or what is left of it.

    Args:
        contender: One of `CONTENDERS`.
        file: Of the scenario, for `WholeBodyQP`.
        folder: Where the other is written.
    """
    if contender == QUADRATIC:
        return file
    content = YAML(typ="safe").load(file)
    names = [entry["name"] for entry in content.pop("inequalities", ())]
    content["parameters"]["whole_body_controller_type"] = contender
    content["whole_body_controller"] = dict(SETTINGS)
    content["bindings"] = _without(content.get("bindings", ()), names)
    scene = content.get("simulator", {}).get("scene")
    if scene is not None:
        content["simulator"]["scene"] = str((file.parent / scene).resolve())
    written = folder / f"{file.stem}_{contender.lower()}.yaml"
    with opened_to_write(written) as stream:
        YAML(typ="safe").dump(content, stream)
    return written


def _without(bindings: Any, owners: list[str]) -> list[Mapping[str, Any]]:
    """Return the bindings of what is still there."""
    return [b for b in bindings if str(b["parameter"]).partition(".")[0] not in owners]
