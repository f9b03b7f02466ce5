"""Answers from the code graph: callers, impact, scopes, hotspots, and codemap's where it answers."""
