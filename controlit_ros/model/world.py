"""What the world is called among frames."""

WORLD = "world"
