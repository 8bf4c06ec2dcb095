"""What is told of opaque types, held to what Cyclone derives from the same class."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("cyclonedds")

from cyclonedds.idl import IdlStruct, make_idl_struct
from cyclonedds.idl.types import uint8

from controlit_ros.interfaces import type_book
from controlit_ros.transport.dds.mangling import dds_type
from controlit_ros.transport.dds.sample import opaque_type
from controlit_ros.transport.dds.type_data import type_data

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,40}", fullmatch=True)


def derived(name, member, base):
    """Return what Cyclone tells of a structure of one byte, as it finds it out of a class."""
    bottom = make_idl_struct(base, base, {}, dataclassify=False)
    fields = {member: uint8}
    made = make_idl_struct("Made", name, fields, bases=(bottom,), dataclassify=False)
    made.__idl__.fill_type_data()
    return made.__idl__._xt_bytedata


@given(NAMES, NAMES, NAMES)
def test_it_is_what_cyclone_derives(name, member, base):
    assume(name != base)
    assert tuple(type_data(name, member, base)) == derived(name, member, base)


def test_a_sample_is_to_cyclone_what_a_class_of_its_own_would_be():
    for type_name in ("std_msgs/msg/String", "std_srvs/srv/Trigger_Request"):
        name = dds_type(type_name)
        made, member = opaque_type(name), name.replace("::", "_")
        other = make_idl_struct("Other", name, {member: uint8}, dataclassify=False)
        other.__idl__.populate()
        made.__idl__.populate()
        made.__idl__.fill_type_data()
        assert made.__idl__._xt_bytedata == derived(name, member, "OpaqueSample")
        told = ("idl_transformed_typename", "member_ids", "keyless", "data_type_props")
        for attribute in (*told, "supported_versions", "v1_key_max_size", "v2_key_max_size"):
            if hasattr(other.__idl__, attribute):  # names of this version of Cyclone
                assert getattr(made.__idl__, attribute) == getattr(other.__idl__, attribute)
        assert issubclass(made, IdlStruct)
        assert made(b"x").serialize() == b"x"


def test_each_type_of_the_book_has_a_hash_of_its_own():
    found = {
        type_data(name, name.replace("::", "_"), "OpaqueSample").information
        for name in map(dds_type, type_book().message_types)
    }
    assert len(found) == len(type_book().message_types)
