"""What a simulated inertial unit measures, beside MuJoCo's own sensors."""

import mujoco
import numpy as np
import pytest

from controlit_ros.model import InertialUnit, quaternion
from controlit_ros.robots.mujoco_imu import SimulatedImu
from controlit_ros.robots.simulation_options import SimulationOptions

PLACE, TURN = (0.1, -0.05, 0.2), (0.1, 0.7, -0.1, 0.7)
ORIENTATION = tuple((np.array(TURN) / np.linalg.norm(TURN)).tolist())
GRAVITY = (0.0, 0.0, -9.81)
THROWN = f"""
<mujoco>
  <worldbody>
    <body name="root">
      <freejoint/>
      <inertial pos="0.02 0.01 -0.03" mass="3" diaginertia="0.1 0.2 0.25"/>
      <site name="imu" pos="{" ".join(map(str, PLACE))}"
            quat="{" ".join(str(ORIENTATION[i]) for i in (3, 0, 1, 2))}"/>
    </body>
  </worldbody>
  <sensor><gyro site="imu"/><accelerometer site="imu"/></sensor>
</mujoco>
"""


def options(**changes):
    return SimulationOptions((), (), ())._replace(**changes)


def measured(random, **changes):
    """Return what the unit and what MuJoCo's sensors tell of a body that is thrown and pulled."""
    model = mujoco.MjModel.from_xml_string(THROWN)
    data = mujoco.MjData(model)
    data.qpos[:] = random.normal(size=7)
    data.qpos[3:] /= np.linalg.norm(data.qpos[3:])
    data.qvel[:] = random.normal(size=6)
    data.qfrc_applied[:] = 10.0 * random.normal(size=6)
    mujoco.mj_forward(model, data)
    unit = SimulatedImu(InertialUnit(PLACE, ORIENTATION, "imu"), options(**changes), GRAVITY)
    axes = quaternion.matrix(quaternion.xyzw_from_wxyz(data.qpos[3:]))
    motion = data.qvel[3:], data.qacc[3:], data.qacc[:3]
    noise = np.random.default_rng(changes.get("seed", 0))
    found = np.array([unit.measure(motion, axes, noise) for _ in range(500)])
    return found, data.sensordata.copy()


@pytest.mark.parametrize("seed", range(5))
def test_it_feels_what_mujocos_sensors_feel(seed):
    found, oracle = measured(np.random.default_rng(seed))
    np.testing.assert_allclose(found[0], oracle, atol=1e-9)


def test_bias_and_noise_are_as_stated():
    bias = np.array([0.01, -0.02, 0.03, 0.1, 0.2, -0.3])
    found, oracle = measured(
        np.random.default_rng(1),
        rate_bias=tuple(bias[:3]),
        acceleration_bias=tuple(bias[3:]),
        rate_noise=0.005,
        acceleration_noise=0.05,
    )
    error = found - oracle
    np.testing.assert_allclose(error[:, :3].mean(axis=0), bias[:3], atol=1e-3)
    np.testing.assert_allclose(error[:, 3:].mean(axis=0), bias[3:], atol=1e-2)
    np.testing.assert_allclose(error[:, :3].std(axis=0), 0.005, rtol=0.2)
    np.testing.assert_allclose(error[:, 3:].std(axis=0), 0.05, rtol=0.2)
