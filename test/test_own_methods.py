"""What is inherited beside a method does not hold of a method of one's own."""

from controlit_ros.own_methods import has_own, presume


class Base:
    """Tells nothing of its methods."""

    is_quick = False

    def __init_subclass__(cls):
        super().__init_subclass__()
        presume(cls, "is_quick", Base.is_quick, ("work", "rest"))

    def work(self):
        return "work"


class Quick(Base):
    """Tells of its own method."""

    is_quick = True

    def work(self):
        return "quick work"


class Heir(Quick):
    """Inherits the method and what is told of it."""


class Other(Quick):
    """Has another method of its own, and tells nothing."""

    def work(self):
        return "other work"


def test_what_is_told_goes_with_the_method():
    assert [c.is_quick for c in (Base, Quick, Heir, Other)] == [False, True, True, False]


def test_an_inherited_method_is_not_ones_own():
    assert has_own(Other, ("rest", "work"))
    assert not has_own(Heir, ("rest", "work"))
    assert not has_own(Other, ("rest",))


def test_an_object_may_have_a_method_of_its_own():
    heir = Heir()
    assert not has_own(heir, ("work",))
    heir.work = lambda: "one's own"
    assert has_own(heir, ("work",))
