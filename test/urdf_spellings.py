"""The same robot written in many ways: prefixes, namespaces, names."""

import re

PREFIX = re.compile(r"<(/?)(?=[a-z])")
SENSOR = '<sensor:camera name="eye"><sensor:link name="lens"/></sensor:camera>'

SPELLINGS = {
    "plain": lambda urdf: urdf,
    "default namespace": lambda urdf: urdf.replace("<robot ", '<robot xmlns="http://ros.org" ', 1),
    "default namespaces inside": lambda urdf: urdf.replace("<joint ", '<joint xmlns="http://x" '),
    "prefixed": lambda urdf: PREFIX.sub(r"<\1u:", urdf).replace(
        "<u:robot ", '<u:robot xmlns:u="http://ros.org" ', 1
    ),
    "undeclared prefix": lambda urdf: PREFIX.sub(r"<\1urdf:", urdf),
    "two prefixes": lambda urdf: (
        urdf.replace("<robot ", '<robot xmlns="http://r" xmlns:v="http://r" ', 1)
        .replace("<joint ", "<v:joint ")
        .replace("</joint>", "</v:joint>")
    ),
    "foreign elements": lambda urdf: urdf.replace("</robot>", f"{SENSOR}</robot>"),
    "foreign elements inside": lambda urdf: urdf.replace("</link>", f"{SENSOR}</link>"),
    "foreign joints": lambda urdf: urdf.replace(
        "</robot>", '<gz:joint name="j" type="ball"/><gz:link name="l"/></robot>'
    ),
    "foreign attributes": lambda urdf: urdf.replace("<joint ", '<joint drake:name="k" '),
    "gazebo": lambda urdf: urdf.replace(
        "</robot>", f'<gazebo reference="link_0">{SENSOR}<turnGravityOff/></gazebo></robot>'
    ),
    "xacro declared": lambda urdf: urdf.replace("<robot ", '<robot xmlns:xacro="http://xacro" ', 1),
    "comments": lambda urdf: urdf.replace("<joint ", "<!-- <joint> -->\n<joint "),
    "useless attributes": lambda urdf: urdf.replace(
        "</robot>",
        '<link name="tip"/><joint name="tip" type="fixed"><parent link="link_0"/>'
        '<child link="tip"/><axis xzy="0 0 1"/><limit effort="a"/><dynamics/><mimic/></joint>'
        "</robot>",
    ),
}
"""Ways to write a robot of which the first is the oracle of the others."""
