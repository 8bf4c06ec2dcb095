"""What every transport must do, run over all that are available."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock, Thread, get_ident

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import FieldError, UnknownTypeError, new, type_book
from controlit_ros.transport import (
    COMMAND,
    DEFAULT,
    EVENTS,
    GOAL,
    LATCHED,
    SENSOR_STATE,
    Endpoint,
    InvalidNameError,
    Later,
    Qos,
    ServiceTimeoutError,
    TransportClosedError,
    TransportError,
    TypeConflictError,
)

pytestmark = pytest.mark.processes

STRING = "std_msgs/msg/String"
JOINTS = "sensor_msgs/msg/JointState"
TRIGGER = "std_srvs/srv/Trigger"
ADD = "example_interfaces/srv/AddTwoInts"
SHORT = 0.2


def text(data):
    return new(STRING, data=data)


def trigger(message="done"):
    return new(f"{TRIGGER}_Response", success=True, message=message)


def add(request):
    return new(f"{ADD}_Response", sum=request.a + request.b)


@pytest.fixture
def pair(network):
    return network.open("sender", "/contract"), network.open("receiver", "/contract")


class TestTopics:
    @pytest.mark.parametrize("qos", [SENSOR_STATE, COMMAND, DEFAULT, EVENTS, LATCHED])
    def test_message_arrives(self, pair, poll, qos):
        sender, receiver = pair
        received = []
        receiver.subscribe("joints", JOINTS, received.append, qos)
        publisher = sender.publisher("joints", JOINTS, qos)
        poll(publisher.subscriber_count)
        sent = new(
            JOINTS,
            header={"stamp": {"sec": 3, "nanosec": 4}, "frame_id": "base"},
            name=["left", "right"],
            position=np.array([1, 2]),
            velocity=[0.5, -0.5],
        )
        publisher.publish(sent)
        # a reader may know a writer later than that knows it, and best effort sends nothing again
        assert poll(lambda: received or (not qos.reliable and publisher.publish(sent)))[0] == sent
        assert received[0].position.dtype == np.float64

    def test_order_is_kept_and_nothing_is_lost_within_the_depth(self, pair, poll):
        sender, receiver = pair
        received = []
        receiver.subscribe("count", STRING, lambda m: received.append(m.data), EVENTS)
        publisher = sender.publisher("count", STRING, EVENTS)
        poll(publisher.subscriber_count)
        for number in range(EVENTS.depth):
            publisher.publish(text(str(number)))
        poll(lambda: len(received) == EVENTS.depth)
        assert received == [str(number) for number in range(EVENTS.depth)]

    def test_what_is_gathered_arrives_in_order_but_for_what_is_beyond_the_depth(self, pair, poll):
        sender, receiver = pair
        receiver.gather(0.05)
        received, newest = [], []
        receiver.subscribe("count", STRING, lambda m: received.append(m.data), EVENTS)
        receiver.subscribe("count", STRING, lambda m: newest.append(m.data), COMMAND)
        publisher = sender.publisher("count", STRING, EVENTS)
        poll(lambda: publisher.subscriber_count() == 2)
        for number in range(EVENTS.depth):
            publisher.publish(text(str(number)))
        poll(lambda: len(received) == EVENTS.depth)
        assert received == [str(number) for number in range(EVENTS.depth)]
        poll(lambda: newest[-1] == received[-1])
        assert newest == sorted(set(newest), key=int)

    def test_what_is_gathered_waits_for_the_next_round(self, network, pair, poll):
        if network.kind == "local":
            pytest.skip("within one process nobody is woken by others")
        sender, receiver = pair
        receiver.gather(SHORT)
        times = []
        receiver.subscribe("count", STRING, lambda _: times.append(time.monotonic()))
        publisher = sender.publisher("count", STRING)
        poll(publisher.subscriber_count)
        publisher.publish(text("one"))
        poll(lambda: times)
        publisher.publish(text("two"))
        poll(lambda: len(times) == 2)
        assert times[1] - times[0] > 0.9 * SHORT

    def test_raw_subscriptions_get_the_bytes(self, pair, poll):
        sender, receiver = pair
        received = []
        receiver.subscribe_raw("words", STRING, lambda *sample: received.append(sample))
        publisher = sender.publisher("words", STRING)
        poll(publisher.subscriber_count)
        before = time.time_ns()
        publisher.publish(text("as they came"))
        data, stamp = poll(lambda: received)[0]
        assert before <= stamp <= time.time_ns()
        assert data.startswith(type_book().encode(STRING, text("as they came")))
        assert type_book().decode(STRING, data) == text("as they came")

    @pytest.mark.parametrize("word", ["", "odd", "even", "uneven"])  # with and without padding
    def test_bytes_are_sent_as_they_are_and_no_longer_needed(self, pair, poll, word):
        sender, receiver = pair
        data = bytearray(type_book().encode(STRING, text(word)))
        publisher = sender.publisher("bytes", STRING, LATCHED)
        publisher.publish_raw(memoryview(data))
        data[:] = bytes(len(data))
        received = []
        receiver.subscribe("bytes", STRING, received.append, LATCHED)
        assert poll(lambda: received)[0] == text(word)
        assert sender.health().published == 1
        publisher.close()
        with pytest.raises(TransportClosedError):
            publisher.publish_raw(memoryview(data))

    def test_own_messages_are_received(self, network, poll):
        transport = network.open("alone", "/contract")
        received = []
        transport.subscribe("echo", STRING, received.append)
        publisher = transport.publisher("echo", STRING)
        poll(publisher.subscriber_count)
        publisher.publish(text("to myself"))
        assert poll(lambda: received)[0].data == "to myself"

    def test_latched_value_of_a_publisher_that_is_gone_gives_way_to_a_living_one(
        self, network, poll
    ):
        first, second, third = (network.open(f"node_{i}", "/contract") for i in range(3))
        receiver = network.open("receiver", "/contract")
        received = []
        first.publisher("state", STRING, LATCHED).publish(text("active"))
        receiver.subscribe("state", STRING, lambda m: received.append(m.data), LATCHED)
        poll(lambda: received == ["active"])
        for passing in (second, third):
            passing.publisher("state", STRING, LATCHED).publish(text("inactive"))
            poll(lambda: received[-1:] == ["inactive"])
            passing.close()
            poll(lambda: received[-1:] == ["active"])

    def test_latched_value_stays_when_a_publisher_goes_whose_value_was_replaced(
        self, network, poll
    ):
        old, new_one = network.open("old", "/contract"), network.open("new", "/contract")
        receiver = network.open("receiver", "/contract")
        received = []
        old.publisher("state", STRING, LATCHED).publish(text("active"))
        receiver.subscribe("state", STRING, lambda m: received.append(m.data), LATCHED)
        poll(lambda: received == ["active"])
        publisher = new_one.publisher("state", STRING, LATCHED)
        publisher.publish(text("safe"))
        poll(lambda: received[1:] == ["safe"])
        old.close()
        poll(lambda: receiver.graph().topic("/contract/state").publisher_count == 1)
        publisher.publish(text("inactive"))
        poll(lambda: received[-1:] == ["inactive"])
        assert received == ["active", "safe", "inactive"]

    def test_last_latched_value_stays_when_no_publisher_is_left(self, pair, poll):
        sender, receiver = pair
        received = []
        publisher = sender.publisher("state", STRING, LATCHED)
        receiver.subscribe("state", STRING, lambda m: received.append(m.data), LATCHED)
        publisher.publish(text("active"))
        poll(lambda: received == ["active"])
        publisher.publish(text("inactive"))
        publisher.close()
        poll(lambda: received == ["active", "inactive"])

    def test_late_subscription_gets_what_is_latched(self, pair, poll):
        sender, receiver = pair
        qos = Qos(durability=LATCHED.durability, depth=2)
        publisher = sender.publisher("latched", STRING, qos)
        for word in ("first", "second", "third"):
            publisher.publish(text(word))
        received = []
        receiver.subscribe("latched", STRING, lambda m: received.append(m.data), qos)
        poll(lambda: len(received) == 2)
        assert received == ["second", "third"]

    def test_volatile_subscription_gets_only_what_comes(self, pair, poll):
        sender, receiver = pair
        publisher = sender.publisher("latched", STRING, LATCHED)
        publisher.publish(text("before"))
        received = []
        receiver.subscribe("latched", STRING, lambda m: received.append(m.data), DEFAULT)
        poll(publisher.subscriber_count)
        publisher.publish(text("after"))
        poll(lambda: received)
        assert received == ["after"]

    def test_subscription_that_asks_for_more_than_offered_stays_unmatched(self, pair, poll):
        sender, receiver = pair
        received = []
        receiver.subscribe("weak", STRING, received.append, DEFAULT)
        receiver.subscribe("weak", STRING, received.append, LATCHED)
        modest = []
        receiver.subscribe("weak", STRING, modest.append, SENSOR_STATE)
        publisher = sender.publisher("weak", STRING, SENSOR_STATE)
        poll(lambda: publisher.subscriber_count() == 1)
        poll(lambda: publisher.publish(text("x")) or modest)
        assert not received

    @pytest.mark.parametrize("order", [(COMMAND, SENSOR_STATE), (SENSOR_STATE, COMMAND)])
    def test_goals_are_heard_from_reliable_and_best_effort_publishers(self, pair, poll, order):
        sender, receiver = pair
        heard = []
        receiver.subscribe("goal", STRING, lambda m: heard.append(m.data), GOAL)
        publishers = [sender.publisher("goal", STRING, qos) for qos in order]
        poll(lambda: all(publisher.subscriber_count() for publisher in publishers))
        for number in range(20):
            for name, publisher in zip("ab", publishers, strict=True):
                publisher.publish(text(f"{name}{number}"))
                poll(lambda word=f"{name}{number}": heard and heard[-1] == word)
        # what both a reliable and a best-effort subscription hear may come twice, but in order
        told = [word for word, before in zip(heard, ["", *heard], strict=False) if word != before]
        assert told == [f"{name}{number}" for number in range(20) for name in "ab"]
        assert receiver.health().undecodable == 0

    def test_a_goal_that_is_kept_is_not_heard_again_when_best_effort_comes(self, pair, poll):
        sender, receiver = pair
        heard = []
        publisher = sender.publisher("kept", STRING, LATCHED)
        publisher.publish(text("long ago"))
        receiver.subscribe("kept", STRING, lambda m: heard.append(m.data), GOAL)
        streamed = sender.publisher("kept", STRING, SENSOR_STATE)
        poll(lambda: streamed.publish(text("now")) or "now" in heard)
        assert "long ago" not in heard

    @pytest.mark.parametrize("sends", [True, False], ids=["ours sends", "ours hears"])
    @pytest.mark.parametrize("is_first", [True, False], ids=["first", "second"])
    def test_a_pair_that_never_meets_is_a_warning(
        self, network, pair, poll, caplog, sends, is_first
    ):
        if network.kind == "local":
            pytest.skip("one process knows both ends")
        caplog.set_level(logging.WARNING)

        def use(transport, publishes):
            if publishes:
                transport.publisher("weak", STRING, SENSOR_STATE)
                transport.publisher("fresh", STRING, DEFAULT)
                transport.publisher("fits", STRING, DEFAULT)
            else:
                transport.subscribe("weak", STRING, print, DEFAULT)
                transport.subscribe("fresh", STRING, print, LATCHED)
                transport.subscribe("fits", STRING, print, DEFAULT)

        ends = [(pair[0], sends), (pair[1], not sends)]
        for transport, publishes in ends if is_first else reversed(ends):
            use(transport, publishes)
        both = (
            ("this", "another", "publisher.reliability:=reliable"),
            ("another", "this", "subscription.reliability:=best_effort"),
        )
        expected = set()
        for sender, hearer, change in both:
            pairs = (
                f"nothing gets from {sender} node, which offers {{}}, to {hearer} one, which asks "
                "for {}"
            )
            weak = pairs.format("best effort, volatile", "reliable, volatile")
            fresh = pairs.format("reliable, volatile", "reliable, transient local")
            expected.add(
                f"/contract/weak: {weak}; qos_overrides./contract/weak.{change} changes that"
            )
            expected.add(f"/contract/fresh: {fresh}")
        poll(lambda: expected <= set(caplog.messages))
        assert set(caplog.messages) == expected

    def test_closing_what_hears_best_effort_publishers_ends_both(self, pair, poll):
        sender, receiver = pair
        heard = []
        subscription = receiver.subscribe("goal", STRING, lambda m: heard.append(m.data), GOAL)
        streamed = sender.publisher("goal", STRING, SENSOR_STATE)
        poll(lambda: streamed.publish(text("x")) or heard)
        subscription.close()
        poll(lambda: streamed.subscriber_count() == 0)
        known = len(heard)
        streamed.publish(text("y"))
        assert len(heard) == known

    def test_slow_callback_costs_old_messages_and_never_the_publisher(self, pair, poll):
        sender, receiver = pair
        entered, release, received = Event(), Event(), []

        def slow(message):
            received.append(message.data)
            entered.set()
            release.wait(GENEROUS)

        receiver.subscribe("slow", STRING, slow, COMMAND)
        publisher = sender.publisher("slow", STRING, COMMAND)
        poll(publisher.subscriber_count)
        publisher.publish(text("0"))
        assert entered.wait(GENEROUS)
        for number in range(1, 1001):
            publisher.publish(text(str(number)))
        release.set()
        poll(lambda: received[-1] == "1000")
        assert len(received) < 1001

    def test_failing_callback_is_counted_and_the_next_message_arrives(self, pair, poll):
        sender, receiver = pair
        received = []

        def fail_once(message):
            received.append(message.data)
            if len(received) == 1:
                raise RuntimeError("on purpose")

        receiver.subscribe("fragile", STRING, fail_once)
        publisher = sender.publisher("fragile", STRING)
        poll(publisher.subscriber_count)
        publisher.publish(text("one"))
        publisher.publish(text("two"))
        poll(lambda: received == ["one", "two"])
        assert receiver.health().callback_errors == 1

    def test_many_threads_may_publish(self, pair, poll):
        sender, receiver = pair
        received = []
        receiver.subscribe("crowd", STRING, lambda m: received.append(m.data), EVENTS)
        publisher = sender.publisher("crowd", STRING, EVENTS)
        poll(publisher.subscriber_count)

        def publish(who):
            for number in range(50):
                publisher.publish(text(f"{who}.{number}"))

        threads = [Thread(target=publish, args=(who,)) for who in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        poll(lambda: len(received) == 400)
        assert len(set(received)) == 400
        assert sender.health().published == 400
        assert receiver.health().received == 400

    def test_what_is_sent_is_counted_by_topic(self, pair):
        sender, _ = pair
        first, second = sender.publisher("one", STRING), sender.publisher("one", STRING)
        other = sender.publisher("other", STRING)
        sender.subscribe("neither", STRING, lambda _: None)
        size = len(type_book().encode(STRING, text("word")))
        first.publish(text("word"))
        second.publish(text("word"))
        other.publish(text("word"))
        other.publish_raw(bytes(400))
        topics = sender.health().topics
        assert topics == {"/contract/one": (2, 2 * size), "/contract/other": (2, size + 400)}
        second.close()
        second.close()
        other.close()
        assert sender.health().topics == {"/contract/one": (1, size)}
        assert sender.health().published == 4
        sender.close()
        assert sender.health().published == 4

    def test_callbacks_run_on_one_thread_that_is_not_the_publishers(self, pair, poll):
        sender, receiver = pair
        threads = []
        for topic in ("a", "b"):
            receiver.subscribe(topic, STRING, lambda _: threads.append(get_ident()))
            publisher = sender.publisher(topic, STRING)
            poll(publisher.subscriber_count)
            publisher.publish(text("x"))
        poll(lambda: len(threads) == 2)
        assert len(set(threads)) == 1
        assert get_ident() not in threads

    def test_subscriber_count_follows_subscriptions(self, pair, poll):
        sender, receiver = pair
        publisher = sender.publisher("count", STRING)
        assert publisher.subscriber_count() == 0
        first = receiver.subscribe("count", STRING, print)
        second = receiver.subscribe("count", STRING, print)
        poll(lambda: publisher.subscriber_count() == 2)
        first.close()
        poll(lambda: publisher.subscriber_count() == 1)
        second.close()
        poll(lambda: publisher.subscriber_count() == 0)

    def test_nothing_arrives_after_close(self, pair, poll):
        sender, receiver = pair
        closed, open_ = [], []
        subscription = receiver.subscribe("closing", STRING, closed.append)
        receiver.subscribe("closing", STRING, open_.append)
        publisher = sender.publisher("closing", STRING)
        poll(lambda: publisher.subscriber_count() == 2)
        subscription.close()
        subscription.close()
        publisher.publish(text("x"))
        poll(lambda: open_)
        assert not closed

    def test_subscription_may_close_itself_in_its_callback(self, pair, poll):
        sender, receiver = pair
        received = []

        def once(message):
            received.append(message)
            subscription.close()

        subscription = receiver.subscribe("once", STRING, once)
        publisher = sender.publisher("once", STRING)
        poll(publisher.subscriber_count)
        publisher.publish(text("x"))
        poll(lambda: received)
        poll(lambda: publisher.subscriber_count() == 0)

    def test_wrong_message_is_refused(self, network):
        publisher = network.open("sender").publisher("/contract/x", STRING)
        with pytest.raises(FieldError, match="std_msgs/msg/Bool"):
            publisher.publish(new("std_msgs/msg/Bool"))
        message = text("x")
        message.data = 3
        with pytest.raises(FieldError, match="data"):
            publisher.publish(message)

    def test_unknown_type_is_refused_with_a_hint(self, network):
        with pytest.raises(UnknownTypeError, match="sensor_msgs/msg/JointState"):
            network.open("sender").publisher("x", "sensor_msgs/msg/JointStates")


class TestServices:
    def test_call(self, pair):
        sender, receiver = pair
        receiver.serve("add", ADD, add)
        client = sender.client("add", ADD)
        assert client.call(new(f"{ADD}_Request", a=2, b=40), GENEROUS).sum == 42

    def test_empty_request_and_response(self, pair):
        sender, receiver = pair
        receiver.serve("trigger", TRIGGER, lambda _: trigger("pulled"))
        receiver.serve("empty", "std_srvs/srv/Empty", lambda _: new("std_srvs/srv/Empty_Response"))
        response = sender.client("trigger", TRIGGER).call(new(f"{TRIGGER}_Request"), GENEROUS)
        assert response.success
        assert response.message == "pulled"
        empty = sender.client("empty", "std_srvs/srv/Empty")
        assert empty.call(new("std_srvs/srv/Empty_Request"), GENEROUS) is not None

    def test_client_before_service(self, pair):
        sender, receiver = pair
        client = sender.client("later", TRIGGER)
        assert not client.wait_for_service(0.0)
        receiver.serve("later", TRIGGER, lambda _: trigger())
        assert client.wait_for_service(GENEROUS)
        assert client.call(new(f"{TRIGGER}_Request"), GENEROUS).success

    def test_concurrent_calls_get_their_own_answers(self, pair):
        sender, receiver = pair
        receiver.serve("add", ADD, add)
        clients = [sender.client("add", ADD) for _ in range(3)]

        def call(number):
            request = new(f"{ADD}_Request", a=number, b=1000)
            return clients[number % 3].call(request, GENEROUS).sum

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(call, range(100))) == [number + 1000 for number in range(100)]

    def test_clients_made_and_used_at_once_are_all_answered(self, pair):
        sender, receiver = pair
        receiver.serve("add", ADD, add)
        for number in range(20):
            client = sender.client("add", ADD)
            assert client.call(new(f"{ADD}_Request", a=number), GENEROUS).sum == number
            client.close()

    def test_handlers_do_not_hold_up_topics_nor_topics_handlers(self, pair, poll):
        sender, receiver = pair
        release, received = Event(), []

        def slow(_):
            release.wait(GENEROUS)
            return trigger()

        receiver.serve("slow", TRIGGER, slow)
        receiver.subscribe("fast", STRING, received.append)
        publisher = sender.publisher("fast", STRING)
        poll(publisher.subscriber_count)
        client = sender.client("slow", TRIGGER)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.call, new(f"{TRIGGER}_Request"), GENEROUS)
            publisher.publish(text("x"))
            poll(lambda: received)
            assert not answer.done()
            release.set()
            assert answer.result().success

    def test_answers_that_come_later_hold_up_no_others(self, pair, poll):
        """They go to those who asked, in any order and from any thread; the first one counts."""
        sender, receiver = pair
        laters = {}

        def serve(request):
            if request.b:
                return add(request)
            return laters.setdefault(request.a, Later())

        receiver.serve("add", ADD, serve)
        client = sender.client("add", ADD)

        def call(a, b=0):
            return client.call(new(f"{ADD}_Request", a=a, b=b), GENEROUS).sum

        with ThreadPoolExecutor(3) as pool:
            waiting = {number: pool.submit(call, number) for number in (1, 2, 3)}
            poll(lambda: len(laters) == 3)
            assert call(7, 1) == 8
            assert not any(answer.done() for answer in waiting.values())
            for number in (3, 1, 2):
                laters[number].give(new(f"{ADD}_Response", sum=10 * number))
                assert waiting[number].result(GENEROUS) == 10 * number
                laters[number].give(new(f"{ADD}_Response", sum=0))
        assert call(1) == 10  # a response that is known at once
        assert receiver.health().handler_errors == 0

    def test_answers_that_come_later_may_be_wrong_or_too_late(self, pair, poll):
        sender, receiver = pair
        laters = []

        def serve(_):
            laters.append(Later())
            return laters[-1]

        service = receiver.serve("later", TRIGGER, serve)
        client = sender.client("later", TRIGGER)
        assert client.wait_for_service(GENEROUS)
        with pytest.raises(ServiceTimeoutError, match="did not answer"):
            client.call(new(f"{TRIGGER}_Request"), SHORT)
        poll(lambda: laters)
        laters[0].give(text("not a response"))
        assert receiver.health().handler_errors == 1
        with pytest.raises(ServiceTimeoutError, match="did not answer"):
            client.call(new(f"{TRIGGER}_Request"), SHORT)
        poll(lambda: len(laters) == 2)
        service.close()
        laters[1].give(trigger())
        assert receiver.health().handler_errors == 1

    def test_callbacks_and_handlers_may_call_services(self, pair, poll):
        sender, receiver = pair
        receiver.serve("add", ADD, add)
        to_add = sender.client("add", ADD)

        def ask(_):
            return trigger(str(to_add.call(new(f"{ADD}_Request", a=1, b=1), GENEROUS).sum))

        sender.serve("ask", TRIGGER, ask)
        to_ask = receiver.client("ask", TRIGGER)
        answers = []

        def callback(_):
            answers.append(to_ask.call(new(f"{TRIGGER}_Request"), GENEROUS).message)

        receiver.subscribe("start", STRING, callback)
        publisher = sender.publisher("start", STRING)
        poll(publisher.subscriber_count)
        publisher.publish(text("go"))
        assert poll(lambda: answers) == ["2"]

    def test_failing_handler_is_counted_and_the_service_lives_on(self, pair, poll):
        sender, receiver = pair
        calls = []

        def fail_twice(_):
            calls.append(1)
            if len(calls) == 1:
                raise RuntimeError("on purpose")
            return trigger() if len(calls) > 2 else text("not a response")

        receiver.serve("fragile", TRIGGER, fail_twice)
        client = sender.client("fragile", TRIGGER)
        assert client.wait_for_service(GENEROUS)
        for _ in range(2):
            with pytest.raises(ServiceTimeoutError, match="did not answer"):
                client.call(new(f"{TRIGGER}_Request"), SHORT)
        assert client.call(new(f"{TRIGGER}_Request"), GENEROUS).success
        assert receiver.health().handler_errors == 2

    def test_an_error_that_was_foreseen_is_told_in_one_line(self, pair, poll, caplog):
        sender, receiver = pair

        def refuse(_):
            raise ControlItError("the servo's process has ended")

        receiver.serve("gone", TRIGGER, refuse)
        client = sender.client("gone", TRIGGER)
        assert client.wait_for_service(GENEROUS)
        with pytest.raises(ServiceTimeoutError):
            client.call(new(f"{TRIGGER}_Request"), SHORT)

        def told():
            return [r for r in list(caplog.records) if "gone cannot answer" in r.getMessage()]

        poll(told)  # the handler may be let run after the call was given up
        assert receiver.health().handler_errors == 1
        assert [record.exc_info for record in told()] == [None]
        assert "Traceback" not in caplog.text

    def test_missing_service_is_reported_with_similar_names(self, pair, poll):
        sender, receiver = pair
        receiver.serve("diagnostics/getTaskParameters", TRIGGER, lambda _: trigger())
        poll(lambda: sender.graph().served)
        client = sender.client("diagnostics/getTaskParameter", TRIGGER)
        with pytest.raises(ServiceTimeoutError, match="getTaskParameters") as caught:
            client.call(new(f"{TRIGGER}_Request"), SHORT)
        assert isinstance(caught.value, TimeoutError)
        assert isinstance(caught.value, TransportError)
        assert isinstance(caught.value, ControlItError)

    def test_wrong_service_type_is_reported(self, pair, poll):
        sender, receiver = pair
        receiver.serve("typed", ADD, add)
        poll(lambda: sender.graph().service("/contract/typed"))
        client = sender.client("typed", TRIGGER)
        with pytest.raises(ServiceTimeoutError, match="AddTwoInts"):
            client.call(new(f"{TRIGGER}_Request"), SHORT)

    def test_service_disappears(self, pair, poll):
        sender, receiver = pair
        service = receiver.serve("short_lived", TRIGGER, lambda _: trigger())
        client = sender.client("short_lived", TRIGGER)
        assert client.wait_for_service(GENEROUS)
        service.close()
        service.close()
        poll(lambda: not client.wait_for_service(0.0))

    def test_service_that_goes_away_ends_calls_under_way(self, pair):
        sender, receiver = pair
        entered, release = Event(), Event()

        def slow(_):
            entered.set()
            release.wait(GENEROUS)
            return trigger()

        service = receiver.serve("slow", TRIGGER, slow)
        client = sender.client("slow", TRIGGER)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.call, new(f"{TRIGGER}_Request"), 2 * GENEROUS)
            assert entered.wait(GENEROUS)
            service.close()
            with pytest.raises(ServiceTimeoutError, match="went away"):
                answer.result(GENEROUS)
            release.set()

    def test_close_ends_calls_under_way(self, pair):
        sender, receiver = pair
        entered, release = Event(), Event()

        def slow(_):
            entered.set()
            release.wait(GENEROUS)
            return trigger()

        receiver.serve("slow", TRIGGER, slow)
        client = sender.client("slow", TRIGGER)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.call, new(f"{TRIGGER}_Request"), GENEROUS)
            assert entered.wait(GENEROUS)
            client.close()
            with pytest.raises(TransportClosedError):
                answer.result(GENEROUS)
            release.set()

    def test_wrong_request_is_refused(self, network):
        client = network.open("sender").client("x", TRIGGER)
        with pytest.raises(FieldError):
            client.call(text("x"))


class TestGraph:
    def test_nodes_and_what_they_use(self, pair, poll):
        sender, receiver = pair
        sender.publisher("x", STRING)
        receiver.subscribe("/contract/x", STRING, print)
        sender.serve("~/trigger", TRIGGER, lambda _: trigger())
        receiver.client("/contract/sender/trigger", TRIGGER)
        topic = Endpoint("/contract/x", STRING)
        service = Endpoint("/contract/sender/trigger", TRIGGER)
        for observer in pair:
            poll(lambda seen=observer: is_complete(seen.graph()))
            graph = observer.graph()
            assert without_plumbing(graph.node("/contract/sender").publishers) == (topic,)
            assert graph.node("/contract/sender").services == (service,)
            assert graph.node("/contract/receiver").subscriptions == (topic,)
            assert graph.node("/contract/receiver").clients == (service,)
            assert graph.topic("/contract/x").types == (STRING,)
            assert graph.topic("/contract/x").publisher_count == 1
            assert graph.topic("/contract/x").subscription_count == 1
            assert graph.service("/contract/sender/trigger").server_count == 1
            assert graph.service("/contract/sender/trigger").client_count == 1
            assert graph.served == ("/contract/sender/trigger",)
            assert graph.node("/contract/nobody") is None

    def test_topics_tell_what_all_their_publishers_offer(self, network, poll):
        node, other = network.open("node", "/contract"), network.open("other", "/contract")
        other.subscribe("heard", STRING, print, SENSOR_STATE)
        publishers = {
            "sent": [DEFAULT, DEFAULT],
            "lossy": [SENSOR_STATE],
            "mixed": [LATCHED, SENSOR_STATE, DEFAULT],
            "kept": [LATCHED, LATCHED],
        }
        for topic, offers in publishers.items():
            for qos in offers:
                node.publisher(topic, STRING, qos)

        def offered(graph):
            topics = {topic.name.removeprefix("/contract/"): topic for topic in graph.topics}
            expected = {**{name: len(qos) for name, qos in publishers.items()}, "heard": 0}
            if expected != {
                name: topics[name].publisher_count for name in expected if name in topics
            }:
                return None
            return {name: (topics[name].is_reliable, topics[name].is_latched) for name in expected}

        for observer in (node, other):
            poll(lambda seen=observer: offered(seen.graph()))
            assert offered(observer.graph()) == {
                "sent": (True, False),
                "lossy": (False, False),
                "mixed": (False, False),
                "kept": (True, True),
                "heard": (False, False),
            }

    def test_endpoints_and_nodes_disappear(self, network, poll):
        observer = network.open("observer")
        other = network.open("other")
        publisher = other.publisher("/contract/gone", STRING)
        poll(lambda: observer.graph().topic("/contract/gone"))
        poll(lambda: observer.graph().node("/other"))
        publisher.close()
        publisher.close()
        poll(lambda: observer.graph().topic("/contract/gone") is None)
        other.close()
        poll(lambda: observer.graph().node("/other") is None)
        assert observer.graph().node("/observer") is not None

    def test_other_type_on_a_topic_is_reported(self, pair, poll):
        sender, receiver = pair
        received = []
        receiver.subscribe("disputed", STRING, received.append)
        other = sender.publisher("disputed", "std_msgs/msg/Bool")
        poll(lambda: receiver.health().type_conflicts)
        assert "std_msgs/msg/Bool" in receiver.health().type_conflicts[0]
        assert other.subscriber_count() == 0
        other.publish(new("std_msgs/msg/Bool", data=True))
        poll(lambda: len(receiver.graph().topic("/contract/disputed").types) == 2)
        assert not received

    def test_two_types_in_one_node_are_refused_until_the_first_is_closed(self, network):
        transport = network.open("undecided", "/contract")
        publisher = transport.publisher("x", STRING)
        with pytest.raises(TypeConflictError, match="std_msgs/msg/String"):
            transport.subscribe("x", "std_msgs/msg/Bool", print)
        publisher.close()
        transport.publisher("x", "std_msgs/msg/Bool")


class TestNames:
    @pytest.mark.parametrize(
        ("given", "absolute"),
        [("x", "/ns/x"), ("/x/y", "/x/y"), ("~/x", "/ns/node/x"), ("a/b_1", "/ns/a/b_1")],
    )
    def test_resolution(self, network, given, absolute):
        transport = network.open("node", "/ns")
        assert transport.node_name == "node"
        assert transport.namespace == "/ns"
        assert transport.publisher(given, STRING).topic == absolute
        assert transport.subscribe(given, STRING, print).topic == absolute
        assert transport.serve(f"{given}_s", TRIGGER, lambda _: trigger()).name == f"{absolute}_s"
        assert transport.client(f"{given}_s", TRIGGER).name == f"{absolute}_s"

    @pytest.mark.parametrize("name", ["", "/", "x/", "a//b", "1a", "a-b", "a b", "a__b", "~", "é"])
    def test_bad_names_are_refused(self, network, name):
        with pytest.raises(InvalidNameError):
            network.open("node").publisher(name, STRING)

    @pytest.mark.parametrize(("name", "namespace"), [("a/b", "/"), ("", "/"), ("a", "/1")])
    def test_bad_node_names_are_refused(self, network, name, namespace):
        with pytest.raises(InvalidNameError):
            network.open(name, namespace)


class TestClosing:
    def test_close_is_idempotent_and_frees_everything(self, network):
        transport = network.open("closing", "/contract")
        publisher = transport.publisher("x", STRING)
        subscription = transport.subscribe("x", STRING, print)
        client = transport.client("y", TRIGGER)
        service = transport.serve("y", TRIGGER, lambda _: trigger())
        transport.close()
        transport.close()
        for part in (publisher, subscription, client, service):
            part.close()
        with pytest.raises(TransportClosedError):
            publisher.publish(text("x"))
        with pytest.raises(TransportClosedError):
            client.call(new(f"{TRIGGER}_Request"), SHORT)
        with pytest.raises(TransportClosedError):
            transport.publisher("x", STRING)
        assert not client.wait_for_service(0.0)

    def test_close_is_fast_with_subscriptions_matched(self, pair, poll):
        sender, receiver = pair
        receiver.subscribe("x", STRING, print, EVENTS)
        publisher = sender.publisher("x", STRING, EVENTS)
        poll(publisher.subscriber_count)
        start = time.monotonic()
        sender.close()
        receiver.close()
        assert time.monotonic() - start < GENEROUS

    def test_context_manager(self, network):
        with network.open("closing") as transport:
            assert transport.graph().node("/closing")
        with pytest.raises(TransportClosedError):
            transport.publisher("x", STRING)

    def test_open_and_close_many_times(self, network, poll):
        observer = network.open("observer", "/contract")
        received, lock = [], Lock()

        def take(message):
            with lock:
                received.append(message.data)

        observer.subscribe("again", STRING, take)
        for number in range(5):
            with network.open("visitor", "/contract") as visitor:
                publisher = visitor.publisher("again", STRING)
                poll(publisher.subscriber_count)
                publisher.publish(text(str(number)))
                poll(lambda last=str(number): last in received)
        assert received == [str(number) for number in range(5)]


def without_plumbing(endpoints):
    """Leave out the topics that every node of ROS 2 itself has."""
    return tuple(e for e in endpoints if e.name not in {"/rosout", "/parameter_events"})


def is_complete(graph):
    sender, receiver = graph.node("/contract/sender"), graph.node("/contract/receiver")
    return (
        sender is not None
        and receiver is not None
        and bool(without_plumbing(sender.publishers) and sender.services)
        and bool(receiver.subscriptions and receiver.clients)
    )
