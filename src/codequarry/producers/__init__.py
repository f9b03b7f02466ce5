"""What tells the symbols of a project: codemap over its CLI, or the built-in producer.

Both speak the public contract of codemap (contract.md A) and are read through one validation (B).
"""
