"""Motion of the centre of mass."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def center_of_mass(
    rotation: Array,
    translation: Array,
    M: Array,
    BG: Array,
    v: Array,
    gravity: Array,
    twists: Array,
    jacobian: Array,
) -> None:
    """Write where the centre of mass is, and how it moves, from the rows of the base.

    Of them, `M = [m 1, −m ĉ, ...]` with c as seen from the base, and `BG = R⁻¹ m (J̇ v − g)`.

    Args:
        rotation: `(3, 3)` R, axes of the base in the world.
        translation: `(3,)` its origin there [m].
        M: `(nv, nv)` joint space inertia [kg m²].
        BG: `(nv,)` Coriolis, centrifugal and gravity efforts [N m].
        v: `(nv,)` velocity.
        gravity: `(3,)` g in the world [m/s²].
        twists: `(3, 3)` result: position [m], velocity `J v`, bias `J̇ v`; world axes.
        jacobian: `(3, nv)` result: J.
    """
    mass = M[0, 0]
    x, y, z = M[1, 5] / mass, M[2, 3] / mass, M[0, 4] / mass
    for i in range(3):
        a, b, c = rotation[i, 0], rotation[i, 1], rotation[i, 2]
        twists[0, i] = translation[i] + (a * x + b * y + c * z)
        twists[2, i] = (a * BG[0] + b * BG[1] + c * BG[2]) / mass + gravity[i]
        speed = 0.0
        for k in range(len(v)):
            jacobian[i, k] = (a * M[0, k] + b * M[1, k] + c * M[2, k]) / mass
            speed += jacobian[i, k] * v[k]
        twists[1, i] = speed
