"""StairsDemo: a humanoid goes up three steps and down again."""

from collections.abc import Sequence

from controlit_demos.walking.course import CourseDemo, SolePlace, course_criteria

MIDDLES = (0.15, 0.45, 0.75, 1.05, 1.35, 1.65, 1.95, 2.25)  # [m] of treads along x
HEIGHTS = (0.0, 0.15, 0.30, 0.45, 0.45, 0.30, 0.15, 0.0)  # [m]


class StairsDemo(CourseDemo):
    """Talos goes up three steps of 0.15 m and down three, on its own sensors."""

    name = "stairs"
    title = "Talos on stairs"
    scene = "stairs.xml"
    criteria = course_criteria(0.44)

    def places(self) -> Sequence[SolePlace]:
        """Return the middle of each tread."""
        return [SolePlace(ahead, height) for ahead, height in zip(MIDDLES, HEIGHTS, strict=True)]
