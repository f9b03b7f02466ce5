"""The built-in producer: symbols by tree-sitter, in codemap's public contract."""
