"""The program `pliant`, called and watched without Blender."""
