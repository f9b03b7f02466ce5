"""Engines that tests can talk to: real processes and real servers that misbehave on demand."""
