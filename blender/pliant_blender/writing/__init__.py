"""A scene file and its meshes, written without Blender."""
