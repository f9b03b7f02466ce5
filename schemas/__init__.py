"""The shape of every table and document.

`tables` holds the Arrow schemas, `rules` the pandera models over them, `documents` the JSON
documents that cross the process boundary. This package imports nothing else of ours.
"""
