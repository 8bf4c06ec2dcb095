"""A pendulum of one joint whose gains are tuned in a second."""

URDF = """<robot name="pendulum"><link name="base"><inertial><mass value="5"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="{effort}" velocity="50"/></joint></robot>
"""
TEXT = """# A pendulum
name: pendulum
robot_description: pendulum.urdf
parameters: {{robot_interface_type: MuJoCo, servo_frequency: 500}}
simulator: {{initial_position: 0.3, timestep: 0.002, {simulator}}}
tasks:
  - {{name: Posture, type: JointPosition, {gains}}} # my gains
  - {{name: Idle, type: JointPosition, kp: 1, kd: 1}}
constraints:
  - {{name: Base, type: FlatContact, body: base}}
compound_task:
  - {{name: Posture, priority: 1}}
  - {{name: Idle, priority: 0, operational_state: sense}}
constraint_set:
  - {{name: Base}}
"""


def pendulum(folder, gains="kp: 64, kd: 16", simulator="seed: 1", effort=1000):
    """Write a controller; return its path."""
    (folder / "pendulum.urdf").write_text(URDF.format(effort=effort))
    path = folder / "pendulum.yaml"
    path.write_text(TEXT.format(gains=gains, simulator=simulator))
    return path
