"""rcl_interfaces over `local`: what `ros2 param` asks of a controller."""

import math

import pytest
from patience import GENEROUS

from controlit_ros.interfaces import new
from controlit_ros.introspection import ParameterEvents, ParameterServices
from controlit_ros.parameters import (
    Access,
    Kind,
    Mailbox,
    ParameterDirectory,
    ParameterReflection,
)
from controlit_ros.transport import EVENTS
from controlit_ros.transport.local import LocalTransport

SRV = "rcl_interfaces/srv"
NOT_SET, BOOL, INTEGER, DOUBLE, STRING = range(5)
INTEGER_ARRAY, DOUBLE_ARRAY, STRING_ARRAY = 7, 8, 9


class Hand(ParameterReflection):
    """One parameter of each kind."""

    def __init__(self):
        super().__init__("hand")
        self.kp = self.declare("kp", 64.0, lower=0.0, upper=1000.0, description="gain")
        self.goal = self.declare("goal", [0.1, 0.2, 0.3], shape=(3,), unit="m", broadcast=True)
        self.priority = self.declare("priority", 1, kind=Kind.INTEGER)
        self.enabled = self.declare("enabled", True, kind=Kind.BOOLEAN)
        self.state = self.declare("state", "enable", kind=Kind.TEXT, choices=("enable", "disable"))
        self.joints = self.declare("joints", ["a", "b"], kind=Kind.TEXT, shape=(None,))
        self.error = self.declare("error", 0.5, access=Access.OUTPUT)
        self.body = self.declare("body", "base", kind=Kind.TEXT, access=Access.CONFIGURATION)
        self.delay = self.declare("delay", 5e-5, access=Access.CONFIGURATION)
        self.posture = self.declare("posture", [0.0, 0.0], shape=(2,), labels=("torso", "elbow"))


TYPES = {
    "hand.kp": DOUBLE, "hand.goal": DOUBLE_ARRAY, "hand.priority": INTEGER, "hand.enabled": BOOL,
    "hand.state": STRING, "hand.joints": STRING_ARRAY, "hand.error": DOUBLE, "hand.body": STRING,
    "hand.delay": DOUBLE, "hand.posture": DOUBLE_ARRAY,
    "handle.kp": DOUBLE,
}  # fmt: skip


class Client:
    """Calls the services of a node."""

    def __init__(self, transport):
        self._transport = transport

    def call(self, service, kind, **fields):
        client = self._transport.client(f"/arm/servo/{service}", f"{SRV}/{kind}")
        return client.call(new(f"{SRV}/{kind}_Request", **fields), GENEROUS)

    def list(self, *prefixes, depth=0):
        result = self.call("list_parameters", "ListParameters", prefixes=prefixes, depth=depth)
        return result.result

    def get(self, *names):
        return self.call("get_parameters", "GetParameters", names=names).values

    def types(self, *names):
        return self.call("get_parameter_types", "GetParameterTypes", names=names).types.tolist()

    def describe(self, *names):
        return self.call("describe_parameters", "DescribeParameters", names=names).descriptors

    def set(self, *parameters):
        results = self.call("set_parameters", "SetParameters", parameters=parameters).results
        return [(result.successful, result.reason) for result in results]

    def set_atomically(self, *parameters):
        service = "set_parameters_atomically"
        answer = self.call(service, "SetParametersAtomically", parameters=parameters)
        return answer.result.successful, answer.result.reason


def double(name, value):
    return {"name": name, "value": {"type": DOUBLE, "double_value": value}}


def text(name, value):
    return {"name": name, "value": {"type": STRING, "string_value": value}}


class Served:
    """Parameters of a controller without a servo."""

    def __init__(self, transport):
        self.hand = Hand()
        other = ParameterReflection("handle")
        other.declare("kp", 1.0)
        self.mailbox = Mailbox()
        self.directory = ParameterDirectory([self.hand, other])
        self.events = ParameterEvents(self.directory, transport, lambda: 12.5)
        ParameterServices(self.directory, self.mailbox, self.events, transport)

    def apply(self):
        """Do what the servo does with its mail; return how many batches there were."""
        count = 0
        while self.mailbox.next() is not None:
            self.mailbox.apply_next()
            count += 1
        return count


@pytest.fixture
def transports(request):
    opened = [
        LocalTransport(name, "/arm", domain=request.node.nodeid) for name in ("servo", "peer")
    ]
    yield opened
    for transport in opened:
        transport.close()


@pytest.fixture
def served(transports):
    return Served(transports[0])


@pytest.fixture
def client(transports, served):
    return Client(transports[1])


def test_list(client):
    result = client.list()
    assert result.names == [name for name in TYPES if name != "hand.error"]  # an output
    assert result.prefixes == ["hand", "handle"]
    assert client.list("handle").names == ["handle.kp"]
    assert client.list("hand").names == [n for n in result.names if n.startswith("hand.")]
    assert client.list("hand.kp").names == ["hand.kp"]
    assert client.list("nobody").names == []


def test_get(client):
    values = dict(zip(TYPES, client.get(*TYPES), strict=True))
    assert {name: value.type for name, value in values.items()} == TYPES
    assert values["hand.kp"].double_value == 64.0
    assert values["hand.goal"].double_array_value.tolist() == [0.1, 0.2, 0.3]
    assert values["hand.priority"].integer_value == 1
    assert values["hand.enabled"].bool_value is True
    assert values["hand.state"].string_value == "enable"
    assert values["hand.joints"].string_array_value == ["a", "b"]
    assert values["hand.error"].double_value == 0.5


def test_unknown_names_are_not_set(client):
    assert [value.type for value in client.get("nobody", "hand.kp")] == [NOT_SET, DOUBLE]
    assert client.types("nobody", *TYPES) == [NOT_SET, *TYPES.values()]
    assert client.describe("nobody")[0].name == "nobody"


def test_describe(client):
    found = dict(zip(TYPES, client.describe(*TYPES), strict=True))
    assert {name: entry.type for name, entry in found.items()} == TYPES
    assert all(entry.name == name for name, entry in found.items())
    (bounds,) = found["hand.kp"].floating_point_range
    assert (bounds.from_value, bounds.to_value) == (0.0, 1000.0)
    assert found["hand.kp"].description == "gain"
    assert "out of enable, disable" in found["hand.state"].additional_constraints
    read_only = {name for name, entry in found.items() if entry.read_only}
    assert read_only == {"hand.error", "hand.body", "hand.delay"}


def test_values_are_set_when_the_servo_takes_its_mail(client, served):
    assert client.set(double("hand.kp", 80.0)) == [(True, "")]
    assert served.hand.kp.value == 64.0
    assert served.apply() == 1
    assert served.hand.kp.value == 80.0


def test_every_kind_can_be_set(client, served):
    parameters = [
        double("hand.kp", 5.0),
        {"name": "hand.goal", "value": {"type": DOUBLE_ARRAY, "double_array_value": [1, 2, 3]}},
        {"name": "hand.priority", "value": {"type": INTEGER, "integer_value": 7}},
        {"name": "hand.enabled", "value": {"type": BOOL, "bool_value": False}},
        text("hand.state", "disable"),
        {"name": "hand.joints", "value": {"type": STRING_ARRAY, "string_array_value": ["c"]}},
    ]
    assert client.set(*parameters) == [(True, "")] * 6
    assert served.apply() == 6
    values = [p.snapshot() for p in served.hand.parameters.values()]
    assert values[:6] == [5.0, [1.0, 2.0, 3.0], 7, False, "disable", ["c"]]


def test_integers_fit_numbers(client, served):
    (result,) = client.set({"name": "hand.kp", "value": {"type": INTEGER, "integer_value": 80}})
    assert result == (True, "")
    whole = {"type": INTEGER_ARRAY, "integer_array_value": [1, 2, 3]}
    assert client.set({"name": "hand.goal", "value": whole}) == [(True, "")]
    served.apply()
    assert served.hand.kp.value == 80.0
    assert served.hand.goal.snapshot() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("name", "sent", "meant"),
    [
        ("hand.kp", "5e-05", 5e-5),
        ("hand.goal", "[5e-05, 1.0, 2.0]", [5e-5, 1.0, 2.0]),
        ("hand.goal", "[1, 2.5, 3]", [1.0, 2.5, 3.0]),
        ("hand.posture", "{elbow: 0.3}", [0.0, 0.3]),
    ],
)
def test_numbers_that_ros2_param_sends_as_text(client, served, name, sent, meant):
    assert client.set(text(name, sent)) == [(True, "")]
    served.apply()
    assert served.hand.parameter(name.removeprefix("hand.")).snapshot() == meant


def test_a_configured_number_that_ros2_param_sends_as_text_stays(client, served):
    assert client.set(text("hand.delay", "5e-05")) == [(True, "")]
    ((successful, reason),) = client.set(text("hand.delay", "6e-05"))
    assert not successful
    assert "hand.delay cannot change at run time" in reason
    served.apply()
    assert served.hand.delay.value == 5e-5


@pytest.mark.parametrize(
    ("parameter", "reason"),
    [
        (double("hand.kp", -1.0), "too small"),
        (double("hand.kp", 1001.0), "too large"),
        (double("hand.kp", math.nan), "not finite"),
        (text("hand.kp", "many"), "expected a finite number"),
        (text("hand.kp", "{a"), "found '{a', expected a finite number"),
        (text("hand.posture", "{elbo: 1}"), "unknown name 'elbo' (did you mean 'elbow'?)"),
        (text("hand.posture", "{elbow: .nan}"), "not finite"),
        (text("hand.state", "enabled"), "did you mean 'enable'"),
        (double("hand.error", 0.0), "it is an output"),
        (text("hand.body", "arm"), "it is configuration"),
        (double("hand.kpp", 0.0), "did you mean 'kp'"),
        (double("hand.priority", 1.5), "expected an integer"),
        ({"name": "hand.kp", "value": {"type": NOT_SET}}, "found nothing"),
        (
            {"name": "hand.goal", "value": {"type": DOUBLE_ARRAY, "double_array_value": [1]}},
            "1 numbers",
        ),
        ({"name": "hand.kp", "value": {"type": BOOL, "bool_value": True}}, "found true"),
    ],
)
def test_refused_with_a_reason(client, served, parameter, reason):
    ((successful, text_of_reason),) = client.set(parameter)
    assert not successful
    assert reason in text_of_reason
    served.apply()
    assert served.hand.delay.value == 5e-5


def test_a_dump_can_be_loaded(client, served):
    """What is listed can be read and set to what was read, also what is fixed."""
    names = client.list().names
    parameters = [
        {"name": name, "value": value}
        for name, value in zip(names, client.get(*names), strict=True)
    ]
    before = [p.snapshot() for p in served.hand.parameters.values()]
    assert client.set(*parameters) == [(True, "")] * len(names)
    served.apply()
    assert [p.snapshot() for p in served.hand.parameters.values()] == before


def test_one_by_one_the_others_are_set(client, served):
    results = client.set(double("hand.kp", -1.0), double("handle.kp", 2.0))
    assert [successful for successful, _ in results] == [False, True]
    assert served.apply() == 1


def test_atomically_all_or_nothing(client, served):
    successful, reason = client.set_atomically(
        double("handle.kp", 2.0), double("hand.kp", -1.0), text("hand.state", "disable")
    )
    assert not successful
    assert reason.startswith("hand.kp: found -1.0 (too small)")
    served.apply()
    assert served.hand.delay.value == 5e-5
    assert client.set_atomically(double("handle.kp", 2.0), double("hand.kp", 3.0)) == (True, "")
    assert served.apply() == 1
    assert served.hand.kp.value == 3.0


@pytest.fixture
def heard(transports):
    """What is told on /parameter_events, from before the parameters are there."""
    messages = []
    event = "rcl_interfaces/msg/ParameterEvent"
    transports[1].subscribe("/parameter_events", event, messages.append, EVENTS)

    def listen():
        transports[1].settle()
        taken = messages.copy()
        messages.clear()
        return taken

    return listen


def test_events_tell_what_there_is_comes_and_goes(heard, served):
    (event,) = heard()
    assert (event.node, event.stamp.sec, event.stamp.nanosec) == ("/arm/servo", 12, 500_000_000)
    assert [p.name for p in event.new_parameters] == [n for n in TYPES if n != "hand.error"]
    assert [p.value.type for p in event.new_parameters if p.name == "hand.goal"] == [DOUBLE_ARRAY]
    late = ParameterReflection("late")
    late.declare("kp", 3.0)
    served.directory.add(late)
    served.events.renew()
    (event,) = heard()
    assert [(p.name, p.value.double_value) for p in event.new_parameters] == [("late.kp", 3.0)]
    served.directory.remove(late)
    served.events.renew()
    served.events.renew()
    (event,) = heard()
    assert [p.name for p in event.deleted_parameters] == ["late.kp"]
    assert not event.new_parameters


def test_events_tell_what_is_set_and_nothing_else(heard, client):
    heard()
    assert client.set(double("hand.kp", 5), double("hand.kp", -1.0))[0] == (True, "")
    (event,) = heard()
    assert [(p.name, p.value.double_value) for p in event.changed_parameters] == [("hand.kp", 5.0)]
    assert not client.set_atomically(double("hand.kp", 1.0), double("hand.body", 1.0))[0]
    assert heard() == []
    assert client.set(text("hand.posture", "{elbow: 0.5}")) == [(True, "")]
    assert client.set(text("hand.body", "base")) == [(True, "")]  # what it is
    (event,) = heard()
    (change,) = event.changed_parameters
    assert change.value.double_array_value.tolist() == [0.0, 0.5]
