"""Packs the Blender extension as a zip that Blender installs: the package with its manifest at the root.

usage: pack.py FOLDER
"""

from __future__ import annotations

import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "blender" / "pliant_blender"

#: The date of every file in the zip, so that the same sources give the same bytes.
DATE = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path) -> Path:
    """Writes the zip into a folder; returns its path."""
    manifest = tomllib.loads((PACKAGE / "blender_manifest.toml").read_text(encoding="utf-8"))
    files = {
        path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".toml"}
    }
    files |= {name: ROOT / name for name in ("LICENSE-MIT", "LICENSE-APACHE")}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{manifest['id']}-{manifest['version']}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name].read_bytes(), zipfile.ZIP_DEFLATED)
    return path


if __name__ == "__main__":
    print(pack(Path(sys.argv[1])))
