"""The tree-sitter floor: grammars, parsing with a deadline, queries, and work on every core."""
