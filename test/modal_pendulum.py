"""A pendulum with modes, in a file."""

from one_joint import pendulum

MODES = """
modes:
  initial: rest
  states:
    - {name: rest, description: holds, tasks: [Posture], latch: [Posture], commands: []}
    - {name: work, tasks: [Posture]}
    - {name: home, tasks: [Posture], goals: {Posture: 0.3}, return_share: 0.02, commands: []}
    - {name: soft, tasks: [Posture], set: {Posture.kp: 1}, commands: [Posture.kd]}
    - {name: limp, tasks: [], commands: []}
    - {name: halt, tasks: [Posture], commands: []}
  transitions:
    - {out_of: [rest, limp, home], into: work}
    - {out_of: [any], into: rest}
    - {out_of: [rest], into: home}
    - {out_of: [home], into: soft, when: not modes.leading, wait: 0}
    - {out_of: [rest], into: soft, through: home}
    - {out_of: [limp], into: soft, through: work}
    - {out_of: [work], into: soft}
    - {out_of: [work], into: halt}
    - {out_of: [work], into: limp, when: "Posture.actual_position[0] > 1.5",
       hold: 0.01, automatic: true}
"""


def modal_pendulum(folder, modes=MODES, **options):
    """Write a controller with modes; return its path."""
    path = pendulum(folder, **options)
    path.write_text(path.read_text() + modes)
    return path
