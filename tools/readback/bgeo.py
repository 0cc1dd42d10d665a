"""Reads the two kinds of BGEO, as their formats are described."""

import struct
from dataclasses import dataclass

import numpy as np


@dataclass
class Bgeo:
    """Attributes of points and of the whole, the corners of triangles, and the attributes of both."""

    points: dict
    detail: dict
    triangles: np.ndarray
    corners: dict
    faces: dict


class _Reader:
    """Takes values of a byte order off the front of a file."""

    def __init__(self, path, order):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.at = 0
        self.order = order

    def take(self, count):
        self.at += count
        assert self.at <= len(self.bytes), "the file is cut off"
        return self.bytes[self.at - count : self.at]

    def number(self, code):
        return struct.unpack(self.order + code, self.take(struct.calcsize(code)))[0]

    def array(self, dtype, count):
        dtype = np.dtype(dtype).newbyteorder(self.order)
        return np.frombuffer(self.take(dtype.itemsize * count), dtype)


def classic(path):
    """Version 5, big endian."""
    file = _Reader(path, ">")
    assert file.take(5) == b"BgeoV"
    version, points, primitives, *groups, of_points, of_vertices, of_primitives, of_all = (
        file.number("i") for _ in range(9)
    )
    assert (version, primitives, groups, of_vertices, of_primitives) == (5, 0, [0, 0], 0, 0)

    def described(count):
        fields, names = [], {}
        for _ in range(count):
            name = file.take(file.number("H")).decode()
            size, kind = file.number("H"), file.number("i")
            if kind == 4:
                names[name] = [file.take(file.number("H")).decode() for _ in range(file.number("i"))]
            else:
                assert file.take(4 * size) == bytes(4 * size)
            fields.append((name, ">i4" if kind in (1, 4) else ">f4", (size,) if size > 1 else ()))
        return fields, names

    fields, names = described(of_points)
    records = file.array(np.dtype([("P", ">f4", (4,)), *fields]), points)
    values = {name: records[name].astype(records[name].dtype.newbyteorder("=")) for name in records.dtype.names}
    assert (values["P"][:, 3] == 1).all()
    values["P"] = values["P"][:, :3]
    for name, entries in names.items():
        values[name] = np.asarray(entries)[values[name]]
    fields, _ = described(of_all)
    whole = file.array(np.dtype(fields), 1)[0]
    assert file.take(2) == b"\x00\xff" and file.at == len(file.bytes)
    return Bgeo(values, {name: whole[name] for name in whole.dtype.names}, np.zeros((0, 3)), {}, {})


def modern(path):
    """Binary JSON."""
    file = _Reader(path, "<")
    assert file.take(5) == b"\x7fNSJb"
    end = object()
    numbers = {0x13: "i4", 0x14: "i8", 0x19: "f4", 0x1A: "f8"}

    def length():
        first = file.number("B")
        return file.number({0xF2: "H", 0xF4: "I", 0xF8: "Q"}[first]) if first > 0xF0 else first

    def value():
        token = file.number("B")
        if token in (0x5D, 0x7D):
            return end
        if token in (0x5B, 0x7B):
            values = []
            while (item := value()) is not end:
                values.append(item)
            return values if token == 0x5B else dict(zip(values[::2], values[1::2]))
        if token == 0x27:
            return file.take(length()).decode()
        if token in (0x30, 0x31):
            return token == 0x31
        if token == 0x40:
            kind = numbers[file.number("B")]
            return file.array(kind, length())
        return file.array(numbers[token], 1)[0]

    def pairs(values):
        return dict(zip(values[::2], values[1::2]))

    root = pairs(value())
    assert file.at == len(file.bytes)
    attributes = pairs(root["attributes"])

    def values_of(block, count):
        block = pairs(block)
        if "arrays" in block:
            return block["arrays"][0][0]
        assert block["packing"] == [block["size"]]
        raw = block["rawpagedata"]
        return raw.reshape(count, block["size"]) if block["size"] > 1 else raw

    def read(kind, count):
        found = {}
        for head, body in attributes.get(kind, []):
            head, body = pairs(head), pairs(body)
            if head["type"] == "string":
                found[head["name"]] = np.asarray(body["strings"])[values_of(body["indices"], count)]
            else:
                found[head["name"]] = values_of(body["values"], count)
        return found

    corners = pairs(pairs(root["topology"])["pointref"])["indices"]
    for head, body in root["primitives"]:
        assert head == ["type", "Polygon_run"]
        body = pairs(body)
        assert body["nvertices_rle"] == [3, body["nprimitives"]] and body["startvertex"] == 0
        assert body["nprimitives"] == root["primitivecount"] == len(corners) // 3
    return Bgeo(
        read("pointattributes", root["pointcount"]),
        read("globalattributes", 1),
        corners.reshape(-1, 3),
        read("vertexattributes", root["vertexcount"]),
        read("primitiveattributes", root["primitivecount"]),
    )
