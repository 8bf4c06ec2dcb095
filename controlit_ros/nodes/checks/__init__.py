"""What of a controller is refused, or legal but probably not meant."""
