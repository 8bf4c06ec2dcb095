"""Give a test of processes that failed a second try, and tell how it failed first.

What runs beside the tests, on a machine of somebody else, can make one of a thousand races come out
the wrong way round. A defect comes again: the second failure counts. A first one is told in full,
with its test, and the closing line counts it as `rerun`.
"""

import pytest

MARK = "processes"
PLUGIN = "rerunfailures"  # without it, as in an installation of ROS 2, nothing is run twice


class SecondTries:
    """Marks tests, and collects how they failed first."""

    def __init__(self) -> None:
        self._first: list[pytest.TestReport] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Let tests of processes be tried twice."""
        for item in items:
            if item.get_closest_marker(MARK) is not None:
                item.add_marker(pytest.mark.flaky(reruns=1))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of a failure that did not count."""
        if report.outcome == "rerun":
            self._first.append(report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell them: each is a defect, of the test or of the code."""
        if self._first:
            terminalreporter.section("failed at the first try")
        for report in self._first:
            terminalreporter.section(report.nodeid, sep="_")
            terminalreporter.line(report.longreprtext)
            for title, text in report.sections:
                terminalreporter.section(title, sep="-")
                terminalreporter.line(text)


def pytest_configure(config: pytest.Config) -> None:
    """Take part where there is who runs tests again."""
    if config.pluginmanager.has_plugin(PLUGIN):
        config.pluginmanager.register(SecondTries())
