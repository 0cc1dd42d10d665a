"""The zip is an extension that Blender takes, installs and enables."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip."""
    folder = tmp_path_factory.mktemp("extension")
    script = ROOT / "tools" / "blender" / "pack.py"
    answer = subprocess.run([sys.executable, script, folder], check=True, capture_output=True, text=True)
    return Path(answer.stdout.strip())


def test_the_zip_has_the_package_at_its_root(extension: Path) -> None:
    with zipfile.ZipFile(extension) as archive:
        names = archive.namelist()
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert {"__init__.py", "blender_manifest.toml", "recording/vtp.py", "LICENSE-MIT"} <= set(names)
    assert not [name for name in names if "pycache" in name or "tests" in name]
    package = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    assert manifest["version"] == package["version"]
    assert extension.name == f"pliant-{package['version']}.zip"


def test_blender_finds_nothing_wrong_with_it(extension: Path) -> None:
    bpy = pytest.importorskip("bpy", reason="Blender's module bpy is not installed")
    tool = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    answer = subprocess.run([sys.executable, tool, "validate", extension], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_it_is_installed_and_enabled(extension: Path, runs: Path, tmp_path: Path) -> None:
    pytest.importorskip("bpy", reason="Blender's module bpy is not installed")
    # In a process of its own: an extension and the same package beside it cannot both be registered.
    environment = {"BLENDER_USER_RESOURCES": str(tmp_path), "PATH": str(tmp_path)}
    arguments = [str(extension), str(runs / "fall")]
    answer = subprocess.run(
        [sys.executable, "-c", INSTALL, *arguments], env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "shown: 4" in answer.stdout
    assert "Preferences" in answer.stdout
    assert "Traceback" not in answer.stdout + answer.stderr


INSTALL = """
import sys
import bpy

extension, run = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
repository = next(repo for repo in bpy.context.preferences.extensions.repos if repo.module == "user_default")
bpy.ops.extensions.package_install_files(filepath=extension, repo=repository.module, enable_on_install=True)
assert "bl_ext.user_default.pliant" in bpy.context.preferences.addons
bpy.ops.import_scene.pliant_run(filepath=run)
print("shown:", len([thing for thing in bpy.data.objects if thing.pliant_part.series in {"particles", "rigid"}]))
preferences = bpy.context.preferences.addons["bl_ext.user_default.pliant"].preferences
preferences.program = "/nowhere/pliant"
try:
    bpy.ops.import_scene.pliant_run(filepath=run)
except RuntimeError as error:
    print(error)
bpy.ops.preferences.addon_disable(module="bl_ext.user_default.pliant")
assert not hasattr(bpy.types.Object, "pliant_part")
"""


def test_the_same_sources_give_the_same_bytes(extension: Path, tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "tools" / "blender"))
    try:
        pack: Any = __import__("pack")
    finally:
        sys.path.pop(0)
    assert pack.pack(tmp_path).read_bytes() == extension.read_bytes()
