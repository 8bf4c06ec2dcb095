"""`controlit bench --quick` from end to end."""

import json

import pytest

from controlit_ros.cli.main import main


def test_json_has_the_machine_and_every_benchmark_asked_for(capsys, tmp_path):
    page = tmp_path / "bench.html"
    assert main(["bench", "rows", "gate", "--quick", "--json", "--html", str(page)]) == 0
    value = json.loads(capsys.readouterr().out)
    assert list(value["benchmarks"]) == ["rows", "gate"]
    assert value["machine"]["python"]
    rows = value["benchmarks"]["rows"]["rows"]
    assert [row["threads"] for row in rows] == ["multi", "single"]
    assert all(row["total [ms]"] > 0.0 for row in rows)
    assert "<table>" in page.read_text(encoding="utf-8")


def test_the_network_benchmarks_measure_another_process(capsys):
    assert main(["bench", "lateness", "latency", "--quick", "--duration", "1", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["benchmarks"]
    found = {row["what"]: row["measured [-]"] for row in value["lateness"]["rows"]}
    assert found["resident memory"] > 10.0
    assert found["total p50"] > 0.0
    assert all(row["p50 [ms]"] > 0.0 for row in value["latency"]["rows"])


@pytest.mark.parametrize("word", ["row", "latencies"])
def test_an_unknown_name_is_told(capsys, word):
    assert main(["bench", word]) == 2
    assert "unknown benchmark" in capsys.readouterr().err
