"""Mailbox: posters and the servo at once, never a batch in part."""

import sys
import threading

import numpy as np
import pytest

from controlit_ros.parameters import Mailbox, Parameter

pytestmark = pytest.mark.processes


def test_batches_are_whole_and_in_order_for_each_poster():
    posters, batches = 3, 3000
    counters = [Parameter(f"counter {i}", 0.0) for i in range(posters)]
    pair = [
        Parameter("left", 0.0, shape=(3,), broadcast=True),
        Parameter("right", 0.0, shape=(3,), broadcast=True),
    ]
    mailbox = Mailbox(16)

    def post(index):
        for number in range(1, batches + 1):
            mark = index * batches + number
            values = {counters[index]: number, pair[0]: [mark] * 3, pair[1]: [mark] * 3}
            mailbox.post(values)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=post, args=(i,)) for i in range(posters)]
        for thread in threads:
            thread.start()
        total, before = 0, [0.0] * posters
        while True:
            is_over = not any(thread.is_alive() for thread in threads)
            while mailbox.next() is not None:
                mailbox.apply_next()
                total += 1
                np.testing.assert_array_equal(pair[0].value, pair[1].value)
                values = [counter.value for counter in counters]
                changed = [i for i in range(posters) if values[i] != before[i]]
                assert len(changed) == 1
                (index,) = changed
                assert values[index] > before[index]
                assert pair[0].value[0] == index * batches + values[index]
                before = values
            if is_over:
                break
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert total + mailbox.dropped == posters * batches
    assert total > 0
