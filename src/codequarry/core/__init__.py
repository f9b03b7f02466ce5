"""The floor the library stands on: errors, text, hashes, files, processes, state.

Nothing here knows what a chunk, a record or a receipt is.
"""
