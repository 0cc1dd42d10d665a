"""Objects that are marked as parts of a scene."""
