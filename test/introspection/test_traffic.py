"""What went out lately, while topics come and go."""

from controlit_ros.introspection.traffic import Traffic
from controlit_ros.transport import Health, Sent


def traffic(**topics):
    sent = {name: Sent(*counts) for name, counts in topics.items()}
    return Traffic(0, 0, 0, "", 0, "", Health(topics=sent))


def test_a_topic_that_closes_hides_nothing_of_the_others():
    before = traffic(busy=(1000, 9000), calm=(10, 100))
    assert traffic(calm=(15, 160)).sent_since(before) == Sent(5, 60)


def test_a_new_topic_counts_whole_and_one_that_was_opened_anew_nothing_negative():
    before = traffic(calm=(10, 100))
    assert traffic(calm=(3, 30), new=(2, 50)).sent_since(before) == Sent(2, 50)
