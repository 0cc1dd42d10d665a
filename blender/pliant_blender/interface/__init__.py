"""What the user sees and presses."""
