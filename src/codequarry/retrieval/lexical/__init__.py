"""Vectorless modes: lexical ranking over symbols, paths, text, graph and SQL, and explore."""
