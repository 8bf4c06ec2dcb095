"""What cyclictest prints, and the same classes for it as for the servo."""

import pytest

from controlit_bench.cyclictest import read_histogram, run_cyclictest
from controlit_ros.errors import ControlItError

PRINTED = """\
# /dev/cpu_dma_latency set to 0us
# Histogram
000000 000003
000001 000004
000004 000123
000005 000010
000019 000001
000020 000002
000199 000001
000369 000000
004999 000001
005000 000001
# Total: 000000148
# Min Latencies: 00000
# Avg Latencies: 00004
# Max Latencies: 12345
# Histogram Overflows: 00002
# Histogram Overflow at cycle number:
# Thread 0: 00071 00099
"""


def test_counts_by_microsecond_are_put_in_the_servos_classes():
    found = read_histogram(PRINTED)
    assert found.late == (3, 4, 123, 10, 1, 2, 0, 1, 0, 0, 0, 1, 3)
    assert found.largest == pytest.approx(12345e-6)
    assert sum(found.late) == 148


def test_threads_are_counted_together():
    found = read_histogram(
        "000004 000001\t000002 000003\r\n\n000060 000000\t000000 000001\n"
        "# Max Latencies: 00004 00004 00060\n# Histogram Overflows: 00001 00000 00001\n"
    )
    assert found.late == (0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2)
    assert found.largest == pytest.approx(60e-6)


def test_without_its_last_lines_the_largest_is_that_of_the_counts():
    found = read_histogram("000007 000002\n000009 000001\n000040 000000\n")
    assert found.largest == pytest.approx(9e-6)
    assert sum(found.late) == 3


@pytest.mark.parametrize("text", ["", "usage: cyclictest\n-h 10\n", "# Max Latencies: 00000\n"])
def test_output_without_a_histogram_is_an_error(text):
    with pytest.raises(ControlItError, match="printed no histogram"):
        read_histogram(text)


def install(folder, script):
    program = folder / "cyclictest"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


@pytest.mark.processes
def test_it_runs_as_the_servo_does(monkeypatch, tmp_path):
    install(tmp_path, f'echo "$@" > {tmp_path}/arguments; echo 000004 000123')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sum(run_cyclictest(0.3).late) == 123
    arguments = (tmp_path / "arguments").read_text(encoding="utf-8").split()
    assert arguments == ["-q", "-m", "-p", "50", "-i", "1000", "-D", "1", "-h", "10000"]


@pytest.mark.processes
def test_a_refusal_is_told_with_its_reason_and_the_package(monkeypatch, tmp_path):
    install(tmp_path, "echo; echo Unable to change scheduling policy! >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ControlItError) as told:
        run_cyclictest(1.0)
    assert str(told.value) == "cyclictest of rt-tests refused: Unable to change scheduling policy!"


def test_where_it_is_not_installed_its_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ControlItError, match=r"not installed.*rt-tests"):
        run_cyclictest(1.0)
