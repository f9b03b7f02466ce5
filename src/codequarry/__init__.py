"""codequarry: certified, searchable code indexes for whole teams."""

__version__ = "0.1.0"
