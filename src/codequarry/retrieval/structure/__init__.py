"""Answers from the code graph: callers, impact, scopes, hotspots; codemap's where it answers."""
