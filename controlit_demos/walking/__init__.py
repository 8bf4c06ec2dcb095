"""What the demonstrations of a robot that walks have in common."""
