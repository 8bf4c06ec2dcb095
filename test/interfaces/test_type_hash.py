"""Type hashes against those that ROS 2 installations and other implementations publish."""

import pytest

from controlit_ros.interfaces import TypeBook, UnknownTypeError, type_hash

KNOWN = {
    "builtin_interfaces/msg/Time": (
        "b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197"
    ),
    "diagnostic_msgs/msg/KeyValue": (
        "d68081eaa540288c5440753baecef0c4e16e81a5f78ad68902ded5100413bb42"
    ),
    "example_interfaces/srv/AddTwoInts": (
        "e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a"
    ),
    "geometry_msgs/msg/Accel": "dc448243ded9b1fcbcca24aba0c22f013dae06c354ba2d849571c0a2a3f57ca0",
    "geometry_msgs/msg/Point": "6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881",
    "geometry_msgs/msg/Point32": "2fc4db7cae16a4582c79a56b66173a8d48d52c7dc520ddc55a0d4bcf2a4bfdbc",
    "geometry_msgs/msg/Pose": "d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa",
    "geometry_msgs/msg/PoseStamped": (
        "10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8"
    ),
    "geometry_msgs/msg/PoseWithCovariance": (
        "9a7c0fd234b7f45c6098745ecccd773ca1085670e64107135397aee31c02e1bb"
    ),
    "geometry_msgs/msg/Quaternion": (
        "8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684"
    ),
    "geometry_msgs/msg/Transform": (
        "beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc"
    ),
    "geometry_msgs/msg/TransformStamped": (
        "0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206"
    ),
    "geometry_msgs/msg/Twist": "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
    "geometry_msgs/msg/TwistStamped": (
        "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"
    ),
    "geometry_msgs/msg/TwistWithCovariance": (
        "49f574f033f095d8b6cd1beaca5ca7925e296e84af1716d16c89d38b059c8c18"
    ),
    "geometry_msgs/msg/Vector3": "cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d",
    "nav_msgs/msg/Odometry": "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
    "rcl_interfaces/msg/ParameterEvent": (
        "043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204"
    ),
    "rcl_interfaces/srv/DescribeParameters": (
        "845b484d71eb0673dae682f2e3ba3c4851a65a3dcfb97bddd82c5b57e91e4cff"
    ),
    "rcl_interfaces/srv/GetParameterTypes": (
        "da199c878688b3e530bdfe3ca8f74cb9fa0c303101e980a9e8f260e25e1c80ca"
    ),
    "rcl_interfaces/srv/GetParameters": (
        "bf9803d5c74cf989a5de3e0c2e99444599a627c7ff75f97b8c05b01003675cbc"
    ),
    "rcl_interfaces/srv/ListParameters": (
        "3e6062bfbb27bfb8730d4cef2558221f51a11646d78e7bb30a1e83afac3aad9d"
    ),
    "rcl_interfaces/srv/SetParameters": (
        "56eed9a67e169f9cb6c1f987bc88f868c14a8fc9f743a263bc734c154015d7e0"
    ),
    "rcl_interfaces/srv/SetParametersAtomically": (
        "0e192ef259c07fc3c07a13191d27002222e65e00ccec653ca05e856f79285fcd"
    ),
    "rosgraph_msgs/msg/Clock": "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
    "sensor_msgs/msg/CameraInfo": (
        "b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275"
    ),
    "sensor_msgs/msg/Image": "d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47",
    "sensor_msgs/msg/Imu": "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b",
    "sensor_msgs/msg/JointState": (
        "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"
    ),
    "sensor_msgs/msg/NavSatFix": "62223ab3fe210a15976021da7afddc9e200dc9ec75231c1b6a557fc598a65404",
    "sensor_msgs/msg/NavSatStatus": (
        "d1ed3befa628e09571bd273b888ba1c1fd187c9a5e0006b385d7e5e9095a3204"
    ),
    "sensor_msgs/msg/PointCloud2": (
        "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5"
    ),
    "sensor_msgs/msg/PointField": (
        "5c6a4750728c2bcfbbf7037225b20b02d4429634732146b742dee1726637ef01"
    ),
    "sensor_msgs/msg/RegionOfInterest": (
        "ad16bcba5f9131dcdba6fbded19f726f5440e3c513b4fb586dd3027eeed8abb1"
    ),
    "std_msgs/msg/Float32": "7170d3d8f841f7be3172ce5f4f59f3a4d7f63b0447e8b33327601ad64d83d6e2",
    "std_msgs/msg/Float64MultiArray": (
        "1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f"
    ),
    "std_msgs/msg/Header": "f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01",
    "std_msgs/msg/String": "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
    "std_srvs/srv/Trigger": "eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f",
    "tf2_msgs/msg/TF2Error": "db2485e7d6a0ec75bf087e058ee45df682acc3a621ca7780503d10aac141809a",
    "tf2_msgs/msg/TFMessage": "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
}


@pytest.mark.parametrize(("type_name", "digest"), KNOWN.items())
def test_known_hash(type_name, digest):
    assert type_hash(type_name) == f"RIHS01_{digest}"


def test_char_is_hashed_as_the_uint8_it_is(tmp_path):
    book = TypeBook(tmp_path)
    book.define("x/msg/A", "char c\nchar[3] d\n")
    other = TypeBook(tmp_path)
    other.define("x/msg/A", "uint8 c\nuint8[3] d\n")
    assert book.type_hash("x/msg/A") == other.type_hash("x/msg/A")


@pytest.mark.parametrize(
    "text",
    ["byte a", "uint8[] a", "uint8[4] a", "uint8[<=4] a", "string a", "string<=4 a", "uint8 b"],
)
def test_every_difference_changes_the_hash(tmp_path, text):
    book, other = TypeBook(tmp_path), TypeBook(tmp_path)
    book.define("x/msg/A", "uint8 a")
    other.define("x/msg/A", text)
    assert book.type_hash("x/msg/A") != other.type_hash("x/msg/A")


def test_unknown_type():
    with pytest.raises(UnknownTypeError, match="std_msgs/msg/String"):
        type_hash("std_msgs/msg/Strin")
