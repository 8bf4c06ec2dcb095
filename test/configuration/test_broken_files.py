"""Each file of `broken` has one mistake; its first two lines tell which and who sees it.

    # expect: <line>: <regular expression of the message>
    # stage: load | build

The stage `load` is seen by the loader; `build` needs the robot model and the plugins.
"""

import re
from pathlib import Path

import pytest

from controlit_ros.configuration import ConfigurationError, load_configuration

FOLDER = Path(__file__).parent
FILES = sorted((FOLDER / "broken").glob("*.yaml"))


def expectation(path):
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    line, message = re.fullmatch(r"# expect: (\d+): (.+)", first).groups()
    return int(line), message, re.fullmatch(r"# stage: (load|build)", second).group(1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_mistake_is_found_where_it_is(path):
    line, message, stage = expectation(path)
    if stage == "build":
        assert load_configuration(path).name == "dreamer_controller"
        return
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(path)
    found = caught.value.problems
    here = [f"{problem.path}: {problem.message}" for problem in found if problem.line == line]
    assert any(re.search(message, text) for text in here), str(caught.value)
    assert len(found) <= 2, str(caught.value)


def test_there_are_enough_mistakes():
    assert len(FILES) >= 25
    assert len({path.stem[:2] for path in FILES}) == len(FILES)


def test_the_sound_file_is_sound():
    assert load_configuration(FOLDER / "sound.yaml").warnings == ()
