"""Pliant in Blender: runs that follow the timeline, and objects that become a scene.

The rooms `recording`, `writing` and `command` know nothing of Blender and are tested without it; everything else needs
its module `bpy`, which is why nothing is imported before the extension is registered.
"""


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    from . import registration

    registration.unregister()
