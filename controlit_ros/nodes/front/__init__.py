"""What a controller's node is to the world: a file for each of its parts."""
