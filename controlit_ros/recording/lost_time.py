"""What a busy machine took from a run in real time."""

from collections.abc import Iterator

from controlit_ros.recording.run_record import RunRecord

WHOLE = 0.95  # [-] of real time; a servo or simulation that got less was starved
PUNCTUAL = 0.8  # [-] of the rounds of goals; with less it is the client that was too slow
STANDSTILL = 0.05  # [s] between two cycles: as long as a silent robot is waited for


def lost_time(record: RunRecord) -> tuple[str, ...]:
    """Return, in words, what servo, simulation and client did not get of real time.

    Empty where nobody was kept waiting, or nobody knows: in simulated time and of a bag.
    """
    return (*_of_the_servo(record), *_of_the_client(record))


def _of_the_servo(record: RunRecord) -> Iterator[str]:
    summary, asked = record.summary, record.servo_frequency
    if summary is None or not summary["cycles"]:
        return
    if summary["rate"] < WHOLE * asked:
        yield f"the servo ran at {summary['rate']:.0f} of {asked:g} Hz"
    slowest = summary["frequency"][2]
    if slowest * STANDSTILL < 1.0:
        yield f"the servo stood still for {1.0 / slowest:.2f} s"
    real = summary["measured"] * record.measurement_period
    if 0.0 < real < WHOLE:
        yield f"the simulation ran at {100.0 * real:.0f} % of real time"


def _of_the_client(record: RunRecord) -> Iterator[str]:
    rounds, expected = record.goals[0], record.expected_goals
    if 0 < rounds < PUNCTUAL * expected:
        yield f"the client sent {rounds} of {expected} rounds of goals"
