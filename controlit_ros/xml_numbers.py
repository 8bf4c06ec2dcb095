"""xml_numbers: the numbers that an attribute of a robot description holds."""

import math
import re

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def xml_numbers(text: str) -> tuple[float, ...]:
    """Return the numbers of a text, finite all of them; none where one of its words is no number.

    Python's `float` takes more for one: `1_000`, `nan`, digits of other scripts.
    """
    words = text.split()
    if not all(map(_NUMBER.fullmatch, words)):
        return ()
    numbers = tuple(map(float, words))
    return numbers if all(map(math.isfinite, numbers)) else ()
