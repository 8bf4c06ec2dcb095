"""Numbers of datagrams: what comes in between costs nothing, whatever it says."""

from hypothesis import example, given
from hypothesis import strategies as st

from controlit_ros.robots.numbering import NEAR, Numbering, Order

LARGEST = 2**64 - 1
SESSION, FIRST = 10**18, 1000

# anything, and what is near to what is right
NUMBERS = st.integers(0, LARGEST) | st.integers(FIRST - 40, FIRST + 400)
ANYTHING = st.tuples(
    st.sampled_from([0, 1, SESSION - 1, SESSION, SESSION + 1, LARGEST]) | st.integers(0, LARGEST),
    NUMBERS,
)
APART = ANYTHING.filter(lambda n: n[0] != SESSION or abs(n[1] - FIRST) > 1000)


@given(
    forged=st.lists(st.lists(APART, max_size=2), min_size=1, max_size=30),
    steps=st.lists(st.integers(1, NEAR), min_size=30, max_size=30),
)
@example(forged=[[(LARGEST, LARGEST)] * 2] * 30, steps=[1] * 30)
@example(forged=[[(SESSION, LARGEST - 1), (SESSION, LARGEST)]] * 30, steps=[1] * 30)
def test_up_to_two_forged_between_any_two_cost_nothing(forged, steps):
    """Also where some of the sender's own are lost."""
    numbering = Numbering()
    sequence = FIRST
    assert numbering.judge(SESSION, sequence) is Order.NEXT
    for between, step in zip(forged, steps, strict=False):
        for session, number in between:
            assert numbering.judge(session, number) is not Order.NEXT
        sequence += step
        assert numbering.judge(SESSION, sequence) is Order.NEXT
        assert numbering.skipped == step - 1


@given(before=st.lists(ANYTHING, max_size=40), repeated=st.integers(1, 3))
@example(before=[(LARGEST, n) for n in range(LARGEST - 20, LARGEST)], repeated=1)
@example(before=[(SESSION, n) for n in range(LARGEST - 20, LARGEST)], repeated=1)
@example(before=[(0, n) for n in range(20)], repeated=1)
@example(before=[(SESSION, FIRST + NEAR)], repeated=1)
def test_after_any_flood_the_sender_is_heard_within_sixteen(before, repeated):
    """A hundredth of a second at 1 kHz."""
    numbering = Numbering()
    numbering.judge(SESSION, FIRST)
    for session, number in before * repeated:
        numbering.judge(session, number)
    verdicts = [numbering.judge(SESSION, FIRST + 1 + i) for i in range(2 * NEAR)]
    assert Order.NEXT in verdicts[: NEAR + 1]
    first = verdicts.index(Order.NEXT)
    assert set(verdicts[first:]) == {Order.NEXT}


@given(st.lists(ANYTHING, min_size=1, max_size=60))
def test_what_is_proven_is_taken_in_order_and_once(numbers):
    """Against the plain rule: next is what is later than all before."""
    numbering = Numbering(is_proven=True)
    latest = None
    for number in numbers:
        is_next = numbering.judge(*number) is Order.NEXT
        assert is_next == (latest is None or number > latest)
        latest = number if is_next else latest


@given(st.lists(st.integers(FIRST, FIRST + NEAR), min_size=1, max_size=60))
def test_near_each_other_each_is_taken_once_and_growing(order):
    numbering = Numbering()
    newest = 0
    for number in order:
        verdict = numbering.judge(SESSION, number)
        if number > newest:
            assert verdict is Order.NEXT
            newest = number
        else:
            assert verdict is (Order.SAME if number == newest else Order.BEFORE)


def test_another_life_is_believed_the_third_time_and_an_earlier_one_the_tenth():
    for session, expected in ((SESSION + 1, 3), (SESSION - 1, 10)):
        numbering = Numbering()
        numbering.judge(SESSION, FIRST)
        verdicts = [numbering.judge(session, 1 + i) for i in range(expected)]
        assert verdicts == [Order.APART] * (expected - 1) + [Order.NEXT]


@given(
    session=st.sampled_from([SESSION - 1, SESSION, SESSION + 1, LARGEST]),
    numbers=st.lists(
        st.integers(FIRST + 1000, FIRST + 10**6), min_size=2, max_size=40, unique=True
    ),
    is_falling=st.booleans(),
)
def test_what_is_scattered_is_no_line(session, numbers, is_falling):
    """Numbers guessed at random, or counted down, never follow each other closely."""
    numbering = Numbering()
    numbering.judge(SESSION, FIRST)
    scattered = sorted({number * (NEAR + 1) for number in numbers})
    if is_falling:
        scattered = [number // (NEAR + 1) for number in reversed(scattered)]
    for number in scattered:
        assert numbering.judge(session, number) is not Order.NEXT
    assert numbering.judge(SESSION, FIRST + 1) is Order.NEXT


def test_after_forgetting_whatever_comes_is_next():
    numbering = Numbering(is_proven=True)
    numbering.judge(SESSION, FIRST)
    numbering.forget()
    assert numbering.judge(0, 0) is Order.NEXT
