"""Mistreats controllers in every way there is a class of trials for, and prints what came of it.

    PYTHONPATH=test python test/campaign/campaign.py --trials 10000 --seed 0 [--only messages]

Everything stays on this machine: loopback, shared memory, processes of its own. A failure is
printed with the seed that repeats it: `--only CLASS --seed SEED --trials 1`.
"""

import argparse
import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import left_behind
import numpy as np
from datagram_trials import DatagramTrials
from expression_trials import ExpressionTrials
from file_trials import FileTrials
from measurement_trials import InProcessTrials, SharedMemoryTrials, TopicTrials, UdpTrials
from message_trials import MessageTrials, ServiceTrials
from process_trials import KillTrials, SignalTrials
from trajectory_trials import TrajectoryTrials
from trial import TrialClass
from urdf_trials import UrdfTrials

CLASSES: tuple[type[TrialClass], ...] = (
    MessageTrials,
    ServiceTrials,
    TrajectoryTrials,
    InProcessTrials,
    SharedMemoryTrials,
    UdpTrials,
    TopicTrials,
    DatagramTrials,
    FileTrials,
    UrdfTrials,
    ExpressionTrials,
    KillTrials,
    SignalTrials,
)
ALL = 10_000
SHOWN = 5  # [-] failures of a class


@dataclass
class Outcome:
    """What came of one class.

    Attributes:
        name: Of the class.
        trials: How many there were.
        failures: Seed and text of each that failed.
        duration: Of all of them [s].
    """

    name: str
    trials: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)
    duration: float = 0.0


def run_class(kind: type[TrialClass], trials: int, seed: int) -> Outcome:
    """Run trials of one class, each with a seed of its own."""
    outcome = Outcome(kind.name)
    begin = time.monotonic()
    subject = kind()
    try:
        for number in range(trials):
            failure = _try(subject, seed + number)
            outcome.trials += 1
            if failure is not None:
                outcome.failures.append((seed + number, failure))
                subject.close()
                subject = kind()
    finally:
        subject.close()
    outcome.duration = time.monotonic() - begin
    return outcome


def trials_of(kind: type[TrialClass], total: int) -> int:
    """Return how many of a campaign's trials are of a class."""
    return max(kind.least, round(kind.share * total / ALL))


def run_campaign(
    total: int, seed: int, classes: Sequence[type[TrialClass]] = CLASSES
) -> list[Outcome]:
    """Run all classes and print a line as soon as each is through."""
    outcomes = []
    print(f"{'class':<16}{'trials':>8}{'failures':>10}{'time':>9}", flush=True)
    for kind in classes:
        outcome = run_class(kind, trials_of(kind, total) if len(classes) > 1 else total, seed)
        outcomes.append(outcome)
        print(
            f"{outcome.name:<16}{outcome.trials:>8}{len(outcome.failures):>10}"
            f"{outcome.duration:>7.0f} s",
            flush=True,
        )
        for number, text in outcome.failures[:SHOWN]:
            print(f"    seed {number}: {text}", flush=True)
    trials = sum(outcome.trials for outcome in outcomes)
    failures = sum(len(outcome.failures) for outcome in outcomes)
    print(f"{'all':<16}{trials:>8}{failures:>10}", flush=True)
    return outcomes


def _try(subject: TrialClass, seed: int) -> str | None:
    try:
        return subject.run(np.random.default_rng(seed))
    except Exception as error:  # noqa: BLE001 - whatever escapes is what the campaign looks for
        return f"{type(error).__name__}: {error}"


def main() -> int:
    """Read the arguments, run, and return 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=ALL)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=[kind.name for kind in CLASSES])
    chosen = parser.parse_args()
    left_behind.watch()  # SIGTERM, SIGHUP and kill -9 skip what `finally` would end
    logging.disable()  # what is refused is told, thousands of times
    classes = [kind for kind in CLASSES if chosen.only in (None, kind.name)]
    outcomes = run_campaign(chosen.trials, chosen.seed, classes)
    return 1 if any(outcome.failures for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
