# ruff: noqa: INP001 - a script beside the picture it makes
"""Render docs/images/dreamer.png: Dreamer in a posture of the hands demo.

Needs OpenGL without a display: `MUJOCO_GL=egl` (libegl1) or `MUJOCO_GL=osmesa` (libosmesa6).
"""

import sys
from pathlib import Path

import matplotlib.image
import mujoco
import numpy as np

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_ros.share import share_directory

POSTURE = "swap heights"
WIDTH, HEIGHT = 720, 640
OVERSAMPLING = 2


def scene(urdf: str) -> mujoco.MjModel:
    """Return the robot on a floor, with light and a plain background."""
    text = urdf.replace(
        '<robot name="dreamer">',
        '<robot name="dreamer"><mujoco><compiler balanceinertia="true" fusestatic="false" '
        'discardvisual="false"/></mujoco>',
    )
    spec = mujoco.MjSpec.from_string(text)
    for geom in spec.geoms:
        if geom.group == 0:  # collision shapes stand beside the visual ones
            geom.rgba[3] = 0.0
    visual = spec.visual
    visual.global_.offwidth, visual.global_.offheight = OVERSAMPLING * WIDTH, OVERSAMPLING * HEIGHT
    visual.headlight.ambient[:] = 0.45
    visual.headlight.diffuse[:] = 0.35
    visual.quality.shadowsize = 8192
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[1.0, 1.0, 1.0],
        rgb2=[0.80, 0.84, 0.88],
        width=256,
        height=256,
    )
    world = spec.worldbody
    world.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[20, 20, 0.1], rgba=[0.95, 0.96, 0.97, 1.0]
    )
    world.add_light(
        pos=[1.5, 1.5, 3.0],
        dir=[-0.45, -0.35, -0.8],
        diffuse=[0.5, 0.5, 0.5],
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
    )
    return spec.compile()


def main() -> None:
    """Write the picture."""
    model = scene((share_directory() / "urdf" / "dreamer.urdf").read_text(encoding="utf-8"))
    data = mujoco.MjData(model)
    posture = next(w.posture for w in HANDS_WAYPOINTS if w.name == POSTURE)
    for joint, position in posture.items():
        data.joint(joint).qpos[0] = position
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = (0.12, 0.0, 1.1)
    camera.distance, camera.azimuth, camera.elevation = 1.75, 205.0, -8.0
    with mujoco.Renderer(model, OVERSAMPLING * HEIGHT, OVERSAMPLING * WIDTH) as renderer:
        renderer.update_scene(data, camera)
        pixels = renderer.render().astype(float)
    shape = (HEIGHT, OVERSAMPLING, WIDTH, OVERSAMPLING, 3)
    small = pixels.reshape(shape).mean(axis=(1, 3))
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("dreamer.png")
    matplotlib.image.imsave(target, np.round(small).astype(np.uint8))


if __name__ == "__main__":
    main()
