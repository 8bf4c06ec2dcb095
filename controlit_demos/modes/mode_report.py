"""The report of a tour through modes: what was refused, how it stopped, and a picture."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from controlit_demos.modes.mode_tour import HandPath, PushedStop, RefusedMode
from controlit_ros.recording.report import html_page
from controlit_ros.regular_file import write_text

LOWEST, LARGEST_TILT = 0.9, 0.2  # [m], [rad] of the base of a robot that stands
PICTURE = "modes.svg"
IN_WORLD, ON_BASE = "goal in the world", "goal on the base"
HAND_ERROR = 0.005  # [m] mean of a hand that a goal leads while the body moves


class TourResult(NamedTuple):
    """What came of a tour.

    Attributes:
        refusals: Of modes that may not follow.
        stops: While the robot moved and was pushed.
        hands: While the body moved.
        fell: Whether a fall was noticed.
        picture: Of the modes, SVG.
    """

    refusals: Sequence[RefusedMode]
    stops: Sequence[PushedStop]
    hands: Sequence[HandPath]
    fell: bool
    picture: str

    @property
    def summary(self) -> tuple[str, ...]:
        """The figures in some lines."""
        refused = sum(bool(refusal.reason) for refusal in self.refusals)
        stood = sum(not problem_of(stop) for stop in self.stops)
        noticed = "a fall was noticed" if self.fell else "no fall was noticed"
        return (
            f"{refused} of {len(self.refusals)} modes that may not follow were refused",
            f"{stood} of {len(self.stops)} stops, moving and pushed, ended standing",
            noticed,
        )

    @property
    def problems(self) -> list[str]:
        """What went wrong."""
        found = [
            f"{refusal.asked} was not refused in {refusal.mode}"
            for refusal in self.refusals
            if not refusal.reason
        ]
        found += filter(None, map(problem_of, self.stops))
        found += [
            f"the hand was off by {100.0 * hand.mean:.2f} cm in {hand.mode}: {hand.goal}"
            for hand in self.hands
            if hand.goal in (IN_WORLD, ON_BASE) and not hand.mean <= HAND_ERROR
        ]
        if not self.fell:
            found.append("the blow led to no fall that was noticed")
        return found


def problem_of(stop: PushedStop) -> str:
    """Tell why a stop failed; empty: it did not."""
    if stop.answer:
        return f"{stop.stop} was not entered from {stop.mode}: {stop.answer}"
    if stop.end != stop.stop or stop.lowest < LOWEST or stop.tilt > LARGEST_TILT:
        return (
            f"{stop.stop} from {stop.mode} ended in {stop.end}, with the base at "
            f"{stop.lowest:.2f} m and tilted by {np.degrees(stop.tilt):.0f}°"
        )
    return ""


def write_mode_report(name: str, created: str, result: TourResult, folder: Path) -> None:
    """Write the report into an existing folder."""
    write_text(folder / PICTURE, result.picture)
    write_text(folder / "report.json", json.dumps(_content(name, created, result), indent=2))
    text = "\n".join(_markdown(name, created, result))
    write_text(folder / "report.md", text)
    write_text(folder / "report.html", html_page(text, name))


def _content(name: str, created: str, result: TourResult) -> dict[str, Any]:
    return {
        "demo": name,
        "verdict": "FAILED" if result.problems else "PASSED",
        "created": created,
        "problems": result.problems,
        "refusals": [refusal._asdict() for refusal in result.refusals],
        "stops": [stop._asdict() for stop in result.stops],
        "hands": [hand._asdict() for hand in result.hands],
        "fall_noticed": result.fell,
    }


def _markdown(name: str, created: str, result: TourResult) -> Iterator[str]:
    yield from (f"# {name}, {created}", "", *(f"* {line}" for line in result.summary))
    yield from ("", f"![modes]({PICTURE})", "", "## Stops, moving and pushed", "")
    yield "| from | to | until confirmed [s] | lowest base [m] | largest tilt [°] | end |"
    yield "|---|---|---:|---:|---:|---|"
    for stop in result.stops:
        end = stop.answer or stop.end
        figures = f"{stop.duration:.2f} | {stop.lowest:.3f} | {np.degrees(stop.tilt):.1f}"
        yield f"| {stop.mode} | {stop.stop} | {figures} | {end} |"
    yield from (
        "",
        "## A hand while the body moves",
        "",
        "| mode | led by | mean [cm] | largest [cm] |",
    )
    yield "|---|---|---:|---:|"
    for hand in result.hands:
        yield f"| {hand.mode} | {hand.goal} | {100 * hand.mean:.2f} | {100 * hand.largest:.2f} |"
    yield from ("", "## What may not follow", "", "| in | asked | answer |", "|---|---|---|")
    for refusal in result.refusals:
        yield f"| {refusal.mode} | {refusal.asked} | {refusal.reason or 'taken'} |"
    if result.problems:
        yield from ("", "## Failures", "", *(f"* {problem}" for problem in result.problems))
    yield from ("", "FAILED" if result.problems else "PASSED", "")
