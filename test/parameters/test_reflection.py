"""ParameterReflection and ParameterDirectory: declaring once and finding by name."""

import pytest

from controlit_ros.parameters import (
    ParameterDirectory,
    ParameterError,
    ParameterReflection,
    UnknownParameterError,
)


class Owner(ParameterReflection):
    def __init__(self, name="Hand"):
        super().__init__(name)
        self.kp = self.declare("kp", 60.0, lower=0)
        self.error = self.declare("error", [0, 0, 0], shape=(3,))


def test_parameters_stand_in_order_of_declaration():
    owner = Owner()
    assert list(owner.parameters) == ["kp", "error"]
    assert owner.parameter("kp") is owner.kp
    assert owner.kp.full_name == "Hand.kp"
    assert repr(owner) == "Owner('Hand')"


def test_a_parameter_is_declared_once():
    owner = Owner()
    with pytest.raises(ParameterError, match=r"Hand\.kp is declared twice"):
        owner.declare("kp", 1.0)
    assert owner.kp.value == 60.0


def test_unknown_names_bring_the_nearest():
    with pytest.raises(ParameterError, match=r"no parameter 'eror' \(did you mean 'error'"):
        Owner().parameter("eror")


def test_directory_is_a_mapping_by_full_name():
    left, right = Owner("Left"), Owner("Right")
    directory = ParameterDirectory([left, right])
    assert list(directory) == ["Left.kp", "Left.error", "Right.kp", "Right.error"]
    assert len(directory) == 4
    assert directory["Right.kp"] is right.kp
    assert "Left.kp" in directory
    assert "kp" not in directory
    assert 3 not in directory


def test_unknown_full_names_bring_the_nearest():
    directory = ParameterDirectory([Owner()])
    with pytest.raises(UnknownParameterError, match=r"^unknown parameter 'Hand.erorr' \(did you"):
        directory["Hand.erorr"]
    with pytest.raises(KeyError):
        directory["nothing"]
    assert directory.get("nothing") is None


def test_an_empty_directory_says_so():
    with pytest.raises(ParameterError, match="no names to choose from"):
        ParameterDirectory([])["Hand.kp"]


def test_two_owners_of_one_name_are_refused():
    with pytest.raises(ParameterError, match=r"Hand\.kp exists twice"):
        ParameterDirectory([Owner(), Owner()])
