"""SimulatorDescription: all that a simulator process has to know, as text."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from controlit_ros.constraints import Coupling
from controlit_ros.model.footprint import Footprint
from controlit_ros.model.inertial_unit import InertialUnit
from controlit_ros.model.wrench_sensor import Mount, WrenchSensor
from controlit_ros.robots.robot_interface import RobotInterfaceError, RobotSetup


class SimulatorDescription(NamedTuple):
    """What to simulate and for whom.

    Attributes:
        setup: The robot.
        options: Values of the parameters of the interface `MuJoCo` by name.
        parent: Process whose end ends the simulator; `None` for a simulator of its own.
    """

    setup: RobotSetup
    options: Mapping[str, Any]
    parent: int | None = None

    def to_json(self) -> str:
        """Write as JSON."""
        setup = self.setup._asdict()
        setup["couplings"] = [coupling._asdict() for coupling in self.setup.couplings]
        setup["sensors"] = [_sensor_fields(sensor) for sensor in self.setup.sensors]
        setup["imu"] = None if self.setup.imu is None else self.setup.imu._asdict()
        setup["footprints"] = [footprint._asdict() for footprint in self.setup.footprints]
        return json.dumps({"setup": setup, "options": dict(self.options), "parent": self.parent})

    @classmethod
    def from_json(cls, text: str) -> "SimulatorDescription":
        """Read what `to_json` wrote.

        Raises:
            RobotInterfaceError: The text is something else.
        """
        try:
            content = json.loads(text)
            setup = dict(content["setup"])
            couplings = tuple(Coupling(**coupling) for coupling in setup.pop("couplings"))
            sensors = tuple(_sensor(fields) for fields in setup.pop("sensors"))
            imu = _imu(setup.pop("imu"))
            footprints = tuple(_footprint(fields) for fields in setup.pop("footprints"))
            for name, value in setup.items():
                setup[name] = _tuple(value)
            return cls(
                RobotSetup(
                    couplings=couplings, sensors=sensors, footprints=footprints, imu=imu, **setup
                ),
                content["options"],
                content["parent"],
            )
        except (ValueError, KeyError, TypeError) as error:
            raise RobotInterfaceError(
                f"found no simulator description ({error}), "
                "expected JSON with the keys setup, options and parent"
            ) from None


def _imu(fields: Mapping[str, Any] | None) -> InertialUnit | None:
    if fields is None:
        return None
    return InertialUnit(**{key: _tuple(value) for key, value in fields.items()})


def _footprint(fields: Mapping[str, Any]) -> Footprint:
    return Footprint(**{key: _tuple(value) for key, value in fields.items()})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _sensor_fields(sensor: WrenchSensor) -> dict[str, Any]:
    return {**sensor._asdict(), "mounts": [mount._asdict() for mount in sensor.mounts]}


def _sensor(fields: Mapping[str, Any]) -> WrenchSensor:
    mounts = tuple(
        Mount(mount["link"], tuple(mount["position"]), tuple(mount["orientation"]))
        for mount in fields["mounts"]
    )
    return WrenchSensor(fields["contact"], fields["link"], tuple(fields["point"]), mounts)
