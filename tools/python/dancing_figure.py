"""Writes the figure of `scenes/cloth/dancer.toml`: 20 frames of a closed mesh that sways and turns.

python tools/python/dancing_figure.py scenes/cloth/meshes
"""

from __future__ import annotations

import itertools
import math
import struct
import sys
from pathlib import Path

FRAMES = 20
AROUND = 20
RINGS = 26
HEIGHT = 0.8

#: Radius along the height, as shares of it.
PROFILE = [(0.0, 0.0), (0.0, 0.15), (0.08, 0.155), (0.3, 0.13), (0.5, 0.085), (0.66, 0.12), (0.74, 0.1)]
PROFILE += [
    (0.79, 0.05),
    (0.81, 0.06),
    (0.85, 0.078),
    (0.9, 0.085),
    (0.95, 0.077),
    (0.985, 0.048),
    (0.997, 0.022),
    (1.0, 0.0),
]

HEAD = """ply
format binary_little_endian 1.0
element vertex {vertices}
property float x
property float y
property float z
element face {triangles}
property list uchar ushort vertex_indices
end_header
"""


def outline(part: float) -> tuple[float, float]:
    """Height and radius [m] at a part of the way along the profile."""
    ways = [math.dist(a, b) for a, b in itertools.pairwise(PROFILE)]
    left = part * sum(ways)
    for (low, high), way in zip(itertools.pairwise(PROFILE), ways):
        if left <= way:
            share = left / way
            return HEIGHT * (low[0] + share * (high[0] - low[0])), low[1] + share * (high[1] - low[1])
        left -= way
    return HEIGHT, 0.0


def place(height: float, radius: float, angle: float, phase: float) -> tuple[float, float, float]:
    """Where a point of the surface is at a phase of the dance, from 0 to 1."""
    share = height / HEIGHT
    turn = angle + 0.9 * share * math.sin(2.0 * math.pi * phase)
    x, z = radius * math.cos(angle), 0.7 * radius * math.sin(angle)
    cosine, sine = math.cos(turn - angle), math.sin(turn - angle)
    sway = 0.09 * math.sin(math.pi * share) * math.sin(2.0 * math.pi * phase)
    lean = 0.06 * share * math.sin(4.0 * math.pi * phase)
    bob = 1.0 - 0.03 * share * math.cos(4.0 * math.pi * phase)
    return x * cosine - z * sine + sway, height * bob, x * sine + z * cosine + lean


def triangles() -> list[tuple[int, int, int]]:
    """Corners, counter-clockwise from outside; the poles are the last two vertices."""
    low, high = AROUND * (RINGS - 1), AROUND * (RINGS - 1) + 1
    faces = []
    for i in range(AROUND):
        after = (i + 1) % AROUND
        faces.append((low, i, after))
        faces.append((high, low - AROUND + after, low - AROUND + i))
        for ring in range(RINGS - 2):
            a, b = ring * AROUND + i, ring * AROUND + after
            faces += [(a, a + AROUND, b), (b, a + AROUND, b + AROUND)]
    return faces


def main() -> None:
    """Writes a file a frame into the folder that is named."""
    folder = Path(sys.argv[1])
    faces = triangles()
    for frame in range(FRAMES):
        phase = frame / FRAMES
        rings = [outline(ring / RINGS) for ring in range(1, RINGS)]
        points = [place(*ring, 2.0 * math.pi * i / AROUND, phase) for ring in rings for i in range(AROUND)]
        points += [place(0.0, 0.0, 0.0, phase), place(HEIGHT, 0.0, 0.0, phase)]
        content = HEAD.format(vertices=len(points), triangles=len(faces)).encode()
        content += b"".join(struct.pack("<3f", *point) for point in points)
        content += b"".join(struct.pack("<B3H", 3, *face) for face in faces)
        (folder / f"dancer.{frame + 1:02}.ply").write_bytes(content)


if __name__ == "__main__":
    main()
