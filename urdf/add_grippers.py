# ruff: noqa: INP001 - a script beside the file it makes
"""Make urdf/dreamer_grippers.urdf: Dreamer with a parallel gripper instead of each hand's fingers.

Run it again after a change of dreamer.urdf; a test compares.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PALM = '<visual><origin xyz="0 0 -0.077"'
"""Begin of the last visual of a hand that stays."""

NOTE = """\
<!--
  Made from dreamer.urdf by add_grippers.py; change these two, not this file.

  Each hand has two fingers, 80 mm long, that slide along the x axis of the hand's frame, which is
  the frame of the *_wrist_yaw joint: gripper is the half of the opening, and gripper_follower
  follows it one to one through a transmission. The pads touch at 0; the middle of the pads is at
  (0, 0, -0.16) of the hand.
-->
"""

FINGER = """
  <joint name="{joint}" type="prismatic">
    <parent link="{hand}"/>
    <child link="{joint}_link"/>
    <origin xyz="0 0 -0.112" rpy="0 0 0"/>
    <axis xyz="{sign} 0 0"/>
    <limit lower="-0.002" upper="0.045" effort="80" velocity="0.2"/>
  </joint>
  <link name="{joint}_link">
    <inertial>
      <origin xyz="{middle} 0 -0.04" rpy="0 0 0"/>
      <mass value="0.06"/>
      <inertia ixx="3.5e-05" ixy="0" ixz="0" iyy="3.3e-05" iyz="0" izz="4.0e-06"/>
    </inertial>
    <visual>
      <origin xyz="{middle} 0 -0.04" rpy="0 0 0"/>
      <geometry><box size="0.012 0.024 0.08"/></geometry>
      <material name="graphite"/>
    </visual>
    <visual>
      <origin xyz="{pad} 0 -0.048" rpy="0 0 0"/>
      <geometry><box size="0.0031 0.0242 0.06"/></geometry>
      <material name="gold"/>
    </visual>
    <collision>
      <origin xyz="{middle} 0 -0.04" rpy="0 0 0"/>
      <geometry><box size="0.012 0.024 0.08"/></geometry>
    </collision>
  </link>
"""


def with_grippers(text: str) -> str:
    """Return the description of Dreamer with grippers."""
    kept: list[str] = []
    hand = ""
    for line in text.splitlines(keepends=True):
        if "<link name=" in line:
            hand = line.split('"')[1]
        in_hand = hand in ("left_wrist_yaw_link", "right_wrist_yaw_link")
        if in_hand and "<visual>" in line and "0 0 -0.03" not in line and PALM not in line:
            continue
        if in_hand and "<collision>" in line and "0 0 -0.077" not in line:
            continue
        kept.append(line)
        if in_hand and "</link>" in line:
            kept += _fingers(hand)
            hand = ""
    result = "".join(kept).replace('<robot name="dreamer">', '<robot name="dreamer_grippers">')
    return result.replace("<!--\n  Dreamer:", f"{NOTE}<!--\n  Dreamer:", 1)


def _fingers(hand: str) -> list[str]:
    side = hand.split("_", maxsplit=1)[0]
    return [
        FINGER.format(
            joint=f"{side}_{joint}",
            hand=hand,
            sign=sign,
            middle=f"{0.006 * sign:g}",
            pad=f"{0.0015 * sign:g}",
        )
        for joint, sign in (("gripper", 1), ("gripper_follower", -1))
    ]


if __name__ == "__main__":
    made = with_grippers((HERE / "dreamer.urdf").read_text(encoding="utf-8"))
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "dreamer_grippers.urdf"
    target.write_text(made, encoding="utf-8")
