"""Vectors of texts: the provider interface, the bundled model, HTTP providers, the cache.

`settings` chooses a provider, `house` is the one that ships, `http` talks to servers in the wire
shapes `ollama` and `openai`, `cache` keeps what was embedded. Nothing here knows a chunk.
"""
