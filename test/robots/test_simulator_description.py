import pytest

from controlit_ros.model import Mount, WrenchSensor
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.simulator_description import SimulatorDescription


def test_round_trip(dreamer):
    description = SimulatorDescription(dreamer, {"seed": 3, "joint_damping": [0.5] * 16}, 42)
    assert SimulatorDescription.from_json(description.to_json()) == description


def test_sensors_travel(dreamer):
    mounts = (Mount("base_link", (0.0, 0.1, 0.0), (0.0, 0.0, 0.0, 1.0)),)
    sensors = (WrenchSensor("Base", "base_link", (0.1, 0.0, 0.0), mounts),)
    description = SimulatorDescription(dreamer._replace(sensors=sensors), {})
    assert SimulatorDescription.from_json(description.to_json()) == description


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"setup": {}, "options": {}, "parent": null}'])
def test_anything_else_is_refused(text):
    with pytest.raises(RobotInterfaceError, match="simulator description"):
        SimulatorDescription.from_json(text)
