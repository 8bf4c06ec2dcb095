"""ServoSettings: how the servo runs and what it does when something fails."""

import math
from enum import Enum
from typing import NamedTuple

from controlit_ros.servo.encoder_watch import OnSensorFault
from controlit_ros.servo.oscillation_watch import OscillationSettings
from controlit_ros.servo.overrun_watch import OverrunSettings
from controlit_ros.servo.plausibility import PlausibilitySettings
from controlit_ros.servo.rate_settings import RateSettings
from controlit_ros.servo.staleness import StalenessBound
from controlit_ros.servo.state_prediction import Prediction
from controlit_ros.servo.truncation_watch import TruncationSettings


class Fallback(Enum):
    """What is commanded while the controller cannot be trusted."""

    HOLD = "hold"
    """Gravity compensation and joint damping."""
    POSTURE = "posture"
    """Gravity compensation, and the posture in which the safe state began, see `PostureHold`."""
    ZERO_EFFORT = "zero_effort"


class ServoSettings(NamedTuple):
    """Settings of the coordinator.

    Attributes:
        frequency: Servo rate [Hz].
        single_threaded_model: Update the model in the servo thread.
        single_threaded_tasks: Update the tasks in the servo thread.
        state_timeout: Age of the last good measurement at which the robot counts as silent [s].
        soft_start_time: Duration of the blend from fallback to control, 0: none [s].
        reconfiguration_time: Duration of the ramp after a change of tasks, constraints or gains,
            0: none [s].
        recovery_time: How long everything must be well again before control resumes [s].
        fallback: What is commanded in the safe state.
        fallback_damping: Joint damping of the fallback `hold` [N m s/rad].
        fallback_kp: Stiffness per inertia of the fallback `posture` [1/s²].
        fall_tilt: Tilt of the base from which the robot has fallen, see `FallWatch` [rad].
        staleness: How old a model may be before the servo updates it itself.
        updater_timeout: Time after which an updater thread counts as hung [s].
        measurements: What is believed of a measurement.
        on_sensor_fault: Reaction to a diagnosed sensor.
        overruns: When the servo counts as too late, and what then.
        rate: When a warning says that the frequency is not reached.
        round_trip_delay: Age of a state when it arrives and time until a command acts, together
            [s].
        oscillations: What counts as shaking, and what follows.
        truncations: How long limits may hold back an effort, and what follows.
        state_prediction: What model and tasks see of the robot.
    """

    frequency: float = 1000.0
    single_threaded_model: bool = False
    single_threaded_tasks: bool = False
    state_timeout: float = 0.05
    soft_start_time: float = 1.0
    reconfiguration_time: float = 0.2
    recovery_time: float = 0.1
    fallback: Fallback = Fallback.HOLD
    fallback_damping: float = 1.0
    fallback_kp: float = 100.0
    fall_tilt: float = math.inf
    staleness: StalenessBound = StalenessBound()
    updater_timeout: float = 0.5
    measurements: PlausibilitySettings = PlausibilitySettings()
    on_sensor_fault: OnSensorFault = OnSensorFault.WARN
    overruns: OverrunSettings = OverrunSettings()
    rate: RateSettings = RateSettings()
    round_trip_delay: float = 0.0
    oscillations: OscillationSettings = OscillationSettings()
    truncations: TruncationSettings = TruncationSettings()
    state_prediction: Prediction = Prediction.NONE
