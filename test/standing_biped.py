"""A biped that stands on sensed feet in MuJoCo, as files, for tests of whole controllers."""

from contact_oracles import BENT, FOOT, biped, standing

from controlit_ros.model import RobotDescription

FLOOR = """<mujoco>
  <option cone="elliptic" impratio="100"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1" solref="0.005 1" solimp="0.99 0.999 0.001 0.5 2"/>
  </worldbody>
</mujoco>"""

CONTROLLER = """
name: biped
robot_description: biped.urdf
parameters:
  servo_frequency: 500
  realtime_priority: 0
  soft_start_time: 0
  rotor_inertia: 0.05
  robot_interface_type: MuJoCo
simulator:
  timestep: 0.002
  collisions: true
  scene: floor.xml
  initial_base_position: [0, 0, {height}]
  initial_position: &bent {posture}
tasks:
  - {{name: Posture, type: JointPosition, goal_position: *bent, kp: 100, kd: 20}}
  - {{name: Pressure, type: CenterOfPressure, contact: left_sole}}
constraints:
  - name: right_sole
    type: FlatContact
    body: right_foot
    contact_point: {point}
    wrench_sensor: true
  - name: left_sole
    type: FlatContact
    body: left_ankle_roll # the joint of the left foot
    contact_point: {point}
    wrench_sensor: true
compound_task:
  - {{name: Posture, priority: 0}}
  - {{name: Pressure, priority: 0, operational_state: sense}}
constraint_set: [{{name: right_sole}}, {{name: left_sole}}]
bindings:
  - parameter: left_sole.wrench
    direction: output
    topic: left_sole/wrench
    properties: [message_type: geometry_msgs/msg/WrenchStamped]
events:
  - {{name: Down, expression: "left_sole.wrench_is_sensed && left_sole.wrench[2] > 50"}}
"""


def write_biped(folder):
    """Write robot, floor and controller into a folder; return the controller's file."""
    (folder / "biped.urdf").write_text(biped())
    (folder / "floor.xml").write_text(FLOOR)
    height = standing(RobotDescription(biped())).base_position[2]
    posture = {
        f"{side}_{joint}": angle for side in ("left", "right") for joint, angle in BENT.items()
    }
    text = ", ".join(f"{name}: {angle}" for name, angle in posture.items())
    file = folder / "biped.yaml"
    file.write_text(
        CONTROLLER.format(height=height, posture=f"{{{text}}}", point=[0.01, 0.02, -FOOT[2] / 2])
    )
    return file
