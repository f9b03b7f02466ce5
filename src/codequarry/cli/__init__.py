"""The command line: one module a command group; heavy imports stay inside the commands."""
