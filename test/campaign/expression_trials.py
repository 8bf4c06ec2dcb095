"""Conditions that were not written in good faith."""

import time

import numpy as np
from hostile import NUMBERS, TEXTS
from trial import TrialClass

from controlit_ros.parameters import Event, ExpressionError, ParameterDirectory, ParameterReflection

PIECES = (
    *map(repr, NUMBERS), *TEXTS, "Hand.error_norm", "Hand.error[0]", "Hand.error[",
    "Hand.error[-1]", "Hand.error[99]", "Hand.nothing", "and", "or", "not", "&&", "||", "!", "<",
    "<=", "==", "!=", "=", "+", "-", "*", "/", "%", "^", "**", "(", ")", ",", "abs(", "sqrt(",
    "max(", "exp(", "norm(", "__import__('os')", "lambda: 0", "().__class__", "9**9**9", "1e999",
    "\u03c0", "\x00", "'", '"', ";", "#", "\n", "if", "else", "[x for x in y]",
    "Hand.state == 'enable'",
)  # fmt: skip
LONGEST = 40  # [-] pieces
SLOWEST = 5.0  # [s] of this process, which shares the machine
POLLS = 3


class ExpressionTrials(TrialClass):
    """A condition made of pieces: an error with a column, or an event that can be polled."""

    name = "expressions"
    share = 1200
    least = 100

    def __init__(self) -> None:
        hand = ParameterReflection("Hand")
        self._norm = hand.declare("error_norm", 0.25)
        self._error = hand.declare("error", [1.0, -3.0, 4.0], shape=(3,))
        self._directory = ParameterDirectory([hand])

    def run(self, rng: np.random.Generator) -> str | None:
        """Compile a condition and evaluate it where its parameters are extreme."""
        count = int(rng.integers(1, LONGEST))
        text = str(rng.choice(["", " "])).join(str(piece) for piece in rng.choice(PIECES, count))
        if rng.random() < 0.1:
            text = str(rng.choice(PIECES)) * int(rng.integers(1, 3000))
        begin = time.process_time()
        try:
            event = Event("Odd", text, self._directory)
        except ExpressionError as error:
            return None if str(error).strip() else f"{text!r}: an error without a word"
        for _ in range(POLLS):
            self._norm.assign(float(rng.choice(NUMBERS)))
            self._error.assign(rng.choice(NUMBERS, 3))
            event.poll(0.0)
        spent = time.process_time() - begin
        return f"{text!r} took {spent:.1f} s" if spent > SLOWEST else None
