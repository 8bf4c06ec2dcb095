"""Parts that many messages share."""


def time_fields(stamp: float) -> dict[str, int]:
    """Return a time [s] as the fields of builtin_interfaces/Time."""
    seconds = int(stamp // 1.0)
    return {"sec": seconds, "nanosec": min(int((stamp - seconds) * 1e9), 999_999_999)}
