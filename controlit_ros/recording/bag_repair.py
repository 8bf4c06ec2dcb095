"""Makes a bag readable whose recording broke off, since the disk was full for example."""

import errno
import json
import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import NamedTuple

# https://mcap.dev/spec: a record is an opcode, the size of its content and the content.
MAGIC = b"\x89MCAP0\r\n"
HEADER = Struct("<BQ")
FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, DATA_END = 0x02, 0x03, 0x04, 0x05, 0x06, 0x0F
CHUNK_HEAD = Struct("<QQQLLQ")  # first and last time, size, checksum, no compression, size again
MESSAGE_HEAD = Struct("<HLQQ")  # channel, sequence, time of logging, time of publishing
NUMBER, NUMBERS, TEXT_SIZE, TIMES = map(Struct, ("<H", "<HH", "<L", "<QQ"))
END = (
    HEADER.pack(DATA_END, 4)
    + bytes(4)  # no checksum
    + HEADER.pack(FOOTER, 20)
    + bytes(20)  # no summary
    + MAGIC
)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ROOM = 256 * 1024  # [bytes] of messages that are given up if there is no room for metadata
LEAST = 1024  # [bytes] of a file worth that
VERSION = 9  # of the metadata


class _McapRecord(NamedTuple):
    opcode: int
    begin: int
    end: int


class _Content:
    """What is whole of a file.

    Attributes:
        end: Where that ends.
        torn: The last chunk, if its end is missing.
        channels: Topic and type of each channel.
        times: When the messages of each channel were logged, since 1970 [ns].
    """

    def __init__(self) -> None:
        self.end = len(MAGIC)
        self.torn: _McapRecord | None = None
        self.channels: dict[int, tuple[str, str]] = {}
        self.times: dict[int, list[int]] = {}
        self._types: dict[int, str] = {}

    def note(self, data: mmap.mmap, record: _McapRecord) -> None:
        """Note a record within a chunk."""
        begin = record.begin + HEADER.size
        if record.opcode == SCHEMA:
            (number,) = NUMBER.unpack_from(data, begin)
            self._types[number] = _text(data, begin + NUMBER.size)
        elif record.opcode == CHANNEL:
            number, schema = NUMBERS.unpack_from(data, begin)
            self.channels[number] = _text(data, begin + NUMBERS.size), self._types[schema]
        elif record.opcode == MESSAGE:
            number, _, time, _ = MESSAGE_HEAD.unpack_from(data, begin)
            self.times.setdefault(number, []).append(time)


def repair(folder: Path) -> int:
    """Make a bag readable up to where it was written, and return the number of its messages.

    The torn end of the file is cut off, and metadata are written; where the disk has no room for
    these, the latest messages are given up.

    Args:
        folder: Of a bag with one uncompressed MCAP file, which is not written any more.

    Raises:
        OSError: The disk takes not even that, or there is no such file.
        ValueError: That is no MCAP file.
    """
    path = folder / f"{folder.name}.mcap"
    limit = path.stat().st_size
    while True:
        content = _read(path, limit)
        try:
            _close(path, content)
            (folder / "metadata.yaml").write_text(_metadata(path, content))
        except OSError as error:
            limit = content.end - min(ROOM, content.end // 2)
            if error.errno not in FULL or content.end < LEAST:
                raise
        else:
            return sum(map(len, content.times.values()))


def _read(path: Path, limit: int) -> _Content:
    """Return what is whole of the first so many bytes of a file."""
    found = _Content()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[: len(MAGIC)] != MAGIC:
            raise ValueError(f"{path} is no MCAP file")
        for record in _records(data, found.end, limit):
            if record.opcode in (DATA_END, FOOTER):
                break
            if record.opcode == CHUNK and record.begin + HEADER.size + CHUNK_HEAD.size <= limit:
                found.torn = record if record.end > limit else None
                inside = record.begin + HEADER.size + CHUNK_HEAD.size
                for part in _records(data, inside, min(record.end, limit)):
                    if part.end <= limit:
                        inside = part.end
                        found.note(data, part)
                found.end = inside
            elif record.end <= limit:
                found.end = record.end
    return found


def _records(data: mmap.mmap, begin: int, end: int) -> Iterator[_McapRecord]:
    """Yield the records between two places, the last of which may end later."""
    while begin + HEADER.size <= end:
        opcode, size = HEADER.unpack_from(data, begin)
        record = _McapRecord(opcode, begin, begin + HEADER.size + size)
        yield record
        begin = record.end


def _text(data: mmap.mmap, begin: int) -> str:
    (size,) = TEXT_SIZE.unpack_from(data, begin)
    begin += TEXT_SIZE.size
    return data[begin : begin + size].decode()


def _close(path: Path, content: _Content) -> None:
    """Cut off the torn end of a file, and end it as the format demands."""
    with path.open("r+b") as file:
        file.truncate(content.end)
        if content.torn is not None:
            begin = content.torn.begin
            size = content.end - begin - HEADER.size
            inside = size - CHUNK_HEAD.size
            file.seek(begin)
            file.write(HEADER.pack(CHUNK, size))
            times = file.read(TIMES.size)
            file.seek(-TIMES.size, os.SEEK_CUR)
            file.write(times + CHUNK_HEAD.pack(0, 0, inside, 0, 0, inside)[TIMES.size :])
        file.seek(content.end)
        file.write(END)


def _metadata(path: Path, content: _Content) -> str:
    times = [time for channel in content.times.values() for time in channel]
    span = {
        "starting_time": {"nanoseconds_since_epoch": min(times, default=0)},
        "duration": {"nanoseconds": max(times, default=0) - min(times, default=0)},
        "message_count": len(times),
    }
    topics = [
        {
            "topic_metadata": {
                "name": topic,
                "type": type_name,
                "serialization_format": "cdr",
                "offered_qos_profiles": [],
                "type_description_hash": "",
            },
            "message_count": len(content.times.get(channel, ())),
        }
        for channel, (topic, type_name) in content.channels.items()
    ]
    information = {
        "version": VERSION,
        "storage_identifier": "mcap",
        "relative_file_paths": [path.name],
        **span,
        "topics_with_message_count": topics,
        "compression_format": "",
        "compression_mode": "",
        "files": [{"path": path.name, **span}],
        "custom_data": None,
        "ros_distro": "rosbags",
    }
    return json.dumps({"rosbag2_bagfile_information": information}, indent=1)  # which is YAML, too
