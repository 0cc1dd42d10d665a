"""What went wrong, in words for the person at the screen."""


class Problem(Exception):
    """Something that cannot be done, and why; its text is shown as it is."""
