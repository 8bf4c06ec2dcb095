"""Which publisher of a latched topic counts, whatever the order of samples and matches."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.transport.present_publisher import PresentPublisher

PUBLISHERS = st.integers(0, 3)
STEPS = st.lists(st.tuples(st.sampled_from(["come", "publish", "go"]), PUBLISHERS), max_size=30)


@given(STEPS, st.booleans())
def test_shown_value_is_the_last_one_of_a_living_publisher(steps, is_match_late):
    living, known, history, shown = set(), set(), [], []
    present = PresentPublisher(lambda: known)

    def show(sample):
        if sample is not None:
            shown.append(sample)

    for number, (step, publisher) in enumerate(steps):
        if step == "publish" and publisher in living:
            history.append((publisher, number))
            if present.take(publisher, number):
                show(number)
        elif step == "come" and publisher not in living:
            living.add(publisher)
            if is_match_late:  # a first sample may be there before its publisher is known
                history.append((publisher, number))
                if present.take(publisher, number):
                    show(number)
            known.add(publisher)
            show(present.update())
        elif step == "go" and publisher in living:
            living.discard(publisher)
            known.discard(publisher)
            history = [entry for entry in history if entry[0] != publisher] or history[-1:]
            show(present.update())
        if any(entry[0] in living for entry in history):
            assert shown[-1] == history[-1][1]
    assert all(one != other for one, other in pairwise(shown))


def test_last_sample_of_a_publisher_that_is_gone_is_dropped_beside_a_living_one():
    living = {"first", "second"}
    present = PresentPublisher(lambda: living)
    assert present.take("first", "active")
    living.discard("second")
    assert not present.take("second", "inactive")
    assert present.update() is None
