"""ParameterMirror: the servo's values, without waiting for a servo that is being prepared."""

from controlit_ros.nodes.front.parameter_mirror import ParameterMirror
from controlit_ros.nodes.process_layout import OneProcess
from controlit_ros.parameters import ParameterDirectory, ParameterReflection
from controlit_ros.servo import SharedMailbox


class Asked(OneProcess):
    """Answers for the servo; each parameter has become 7."""

    def __init__(self):
        self.count = 0

    def call(self, function, patience=None):
        def ask():
            self.count += 1
            settled, values = function()
            return settled, dict.fromkeys(values, 7.0)

        return ask


def test_a_servo_that_never_made_a_cycle_is_not_asked():
    owner = ParameterReflection("Posture")
    kp = owner.declare("kp", 5.0)
    directory = ParameterDirectory([owner])
    asked, begun = Asked(), []
    mirror = ParameterMirror(SharedMailbox(directory.values()), asked, lambda: bool(begun))
    mirror.refresh()
    assert (asked.count, kp.value) == (0, 5.0)
    begun.append(True)
    mirror.refresh()
    assert (asked.count, kp.value) == (1, 7.0)
