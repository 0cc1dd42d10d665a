"""Runs as objects that follow the timeline."""
