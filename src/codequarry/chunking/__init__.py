"""From a file and its records to chunks that lose no byte."""
