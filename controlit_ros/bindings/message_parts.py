"""Parts that many messages share."""


def time_parts(stamp: float) -> tuple[int, int]:
    """Return the whole seconds of a time [s] and the rest [ns]."""
    seconds = int(stamp // 1.0)
    return seconds, min(int((stamp - seconds) * 1e9), 999_999_999)


def time_fields(stamp: float) -> dict[str, int]:
    """Return a time [s] as the fields of builtin_interfaces/Time."""
    seconds, nanoseconds = time_parts(stamp)
    return {"sec": seconds, "nanosec": nanoseconds}
