"""Benchmarks: what `controlit bench` measures and `make bench-check` guards."""
