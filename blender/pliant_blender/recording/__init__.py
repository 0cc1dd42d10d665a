"""The folder of a run, read without Blender: frames, bodies, shapes and motions."""
