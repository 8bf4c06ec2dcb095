"""aspect: how broad the picture of a page is."""

from viser import CameraHandle

SQUARE = 1.0  # [-]
PHONE = 0.6  # [-] width over height below which a page has one panel, over its lower part


def aspect(camera: CameraHandle) -> float:
    """Return width over height of what a camera sees; that of a square where a page says none."""
    width, height = camera.image_width, camera.image_height
    return width / height if width > 0 and height > 0 else SQUARE
