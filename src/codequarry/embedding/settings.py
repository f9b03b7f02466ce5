"""Which model to use: read from the environment, and from nothing else.

Every variable begins with ``CODEQUARRY_EMBEDDING_``: PROVIDER (house, ollama or openai), MODEL,
DIMENSIONS, BASE_URL, API_KEY, QUERY_TEMPLATE, DOCUMENT_TEMPLATE, MAX_BATCH_SIZE, TIMEOUT (seconds),
REQUEST_DIMENSIONS (openai), KEEP_ALIVE, OLLAMA_CONTEXT and OLLAMA_OPTIONS (ollama).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import msgspec

from codequarry.core.errors import UsageError
from codequarry.embedding import house
from codequarry.embedding.provider import Embedder, Profile

PREFIX = "CODEQUARRY_EMBEDDING_"
PROVIDERS = (house.PROVIDER, "ollama", "openai")

_MODELS = {"ollama": "nomic-embed-text", "openai": "text-embedding-3-small"}
_ADDRESSES = {"ollama": "http://localhost:11434", "openai": "https://api.openai.com/v1"}
_WIDTHS = {
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "all-minilm": 384,
    "qwen3-embedding:0.6b": 1024,
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class EmbeddingSettings:
    """The embedding model of a deployment. Sizes in texts and tokens, times in seconds."""

    provider: str = house.PROVIDER
    model: str = house.MODEL
    dimensions: int = house.DIMENSIONS
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    query_template: str = ""
    document_template: str = ""
    max_batch_size: int = 0
    timeout: float = 60.0
    request_dimensions: bool = False
    keep_alive: str = "30m"
    ollama_context: int = 0
    ollama_options: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "EmbeddingSettings":
        """Read the settings.

        Args:
            environment: Instead of ``os.environ``.

        Raises:
            UsageError: A value cannot be used; the message names the variable, never a key.
        """
        reader = _Reader(os.environ if environment is None else environment)
        provider = reader.text("PROVIDER", house.PROVIDER).lower()
        if provider not in PROVIDERS:
            raise _bad("PROVIDER", f"is {provider!r}", f"use one of {', '.join(PROVIDERS)}")
        return _house(reader) if provider == house.PROVIDER else _served(reader, provider)

    @property
    def profile(self) -> Profile:
        """The model's profile, without a chunk profile."""
        return Profile(
            self.provider,
            self.model,
            self.dimensions,
            query_template=self.query_template,
            document_template=self.document_template,
            ollama_context=self.ollama_context,
            ollama_options=self.ollama_options,
        )


def make_embedder(settings: EmbeddingSettings) -> Embedder:
    """Give the model that the settings name; nothing is sent before the first text.

    Raises:
        EmbeddingError: The bundled model is damaged.
    """
    if settings.provider == house.PROVIDER:
        return house.HouseEmbedder()
    # A search with the bundled model must not pay for an HTTP client.
    from codequarry.embedding import ollama, openai
    from codequarry.embedding.http import HttpEmbedder, Wire
    from codequarry.embedding.transport import Endpoint

    endpoint = Endpoint(settings.base_url, settings.api_key, settings.timeout)
    wire: Wire
    if settings.provider == "ollama":
        wire = ollama.OllamaWire(
            settings.model,
            settings.dimensions,
            settings.keep_alive,
            settings.ollama_context,
            settings.ollama_options,
        )
        items, tokens = ollama.MAX_ITEMS, None
    else:
        asked = settings.dimensions if settings.request_dimensions else None
        wire = openai.OpenAIWire(settings.model, asked)
        items, tokens = openai.MAX_ITEMS, openai.MAX_TOKENS
    return HttpEmbedder(settings.profile, wire, endpoint, settings.max_batch_size or items, tokens)


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment

    def text(self, name: str, default: str = "") -> str:
        return self.environment.get(PREFIX + name, "").strip() or default

    def template(self, name: str) -> str:
        # Unstripped: a prefix such as "query: " ends in a space.
        return self.environment.get(PREFIX + name, "")

    def integer(self, name: str, default: int, largest: int) -> int:
        value = self.text(name)
        if not value:
            return default
        is_number = value.isascii() and value.isdigit() and len(value) <= len(str(largest))
        if not (is_number and 0 < int(value) <= largest):
            raise _bad(name, f"is {value[:20]!r}", f"use a whole number from 1 to {largest}")
        return int(value)

    def seconds(self, name: str, default: float) -> float:
        value = self.text(name)
        try:
            number = float(value) if value else default
        except ValueError:
            number = 0.0
        if not 0 < number <= 3600:
            raise _bad(name, f"is {value[:20]!r}", "use seconds, above 0 and at most 3600")
        return number

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if value and value not in _TRUE + _FALSE:
            raise _bad(name, f"is {value[:20]!r}", "use true or false")
        return value in _TRUE if value else default


def _house(reader: _Reader) -> EmbeddingSettings:
    fixed = {"MODEL": house.MODEL, "DIMENSIONS": str(house.DIMENSIONS)}
    for name, value in fixed.items():
        if reader.text(name, value) != value:
            remedy = f"unset it, or set {PREFIX}PROVIDER to ollama or openai"
            raise _bad(name, f"must be {value} with the house model", remedy)
    for name in ("QUERY_TEMPLATE", "DOCUMENT_TEMPLATE"):
        if reader.template(name):
            raise _bad(name, "has no use with the house model", "unset it, or set another provider")
    return EmbeddingSettings()


def _served(reader: _Reader, provider: str) -> EmbeddingSettings:
    model = reader.text("MODEL", _MODELS[provider])
    dimensions = reader.integer("DIMENSIONS", _WIDTHS.get(model.removesuffix(":latest"), 0), 65_536)
    if not dimensions:
        raise _bad("DIMENSIONS", f"is not set for model {model!r}", "set it to the model's width")
    base_url, api_key = _address(reader, provider)
    ollama = provider == "ollama"
    return EmbeddingSettings(
        provider=provider,
        model=model,
        dimensions=dimensions,
        base_url=base_url,
        api_key=api_key,
        query_template=reader.template("QUERY_TEMPLATE"),
        document_template=reader.template("DOCUMENT_TEMPLATE"),
        max_batch_size=reader.integer("MAX_BATCH_SIZE", 0, 2048),
        timeout=reader.seconds("TIMEOUT", 60.0),
        request_dimensions=reader.flag(
            "REQUEST_DIMENSIONS", default=model.startswith("text-embedding-3-")
        ),
        keep_alive=reader.text("KEEP_ALIVE", "30m"),
        ollama_context=reader.integer("OLLAMA_CONTEXT", 0, 10_000_000) if ollama else 0,
        ollama_options=_options(reader) if ollama else "",
    )


def _address(reader: _Reader, provider: str) -> tuple[str, str]:
    """Give the base address and the key that may be sent to it."""
    api_key = reader.text("API_KEY")
    base_url = reader.text("BASE_URL")
    if provider == "openai" and not base_url:
        # The general key belongs to the general address and goes nowhere else.
        base_url = reader.environment.get("OPENAI_BASE_URL", "").strip()
        api_key = api_key or reader.environment.get("OPENAI_API_KEY", "").strip()
    base_url = base_url or _ADDRESSES[provider]
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment:
        raise _bad("BASE_URL", "is no http or https address", "use one like http://localhost:11434")
    if parts.username is not None or parts.password is not None:
        raise _bad("BASE_URL", "holds a user name or password", f"use {PREFIX}API_KEY for the key")
    if not (api_key.isascii() and api_key.isprintable()):
        raise _bad("API_KEY", "holds characters no key has", "copy the key again")
    return base_url, api_key


def _options(reader: _Reader) -> str:
    raw = reader.text("OLLAMA_OPTIONS")
    if not raw:
        return ""
    try:
        options = msgspec.json.decode(raw, type=dict[str, bool | int | float | str | None])
    except msgspec.DecodeError:
        remedy = 'use one like {"num_thread": 4}'
        raise _bad("OLLAMA_OPTIONS", "is no JSON object of plain values", remedy) from None
    return msgspec.json.encode(options, order="sorted").decode()


def _bad(name: str, what: str, remedy: str) -> UsageError:
    return UsageError(f"{PREFIX}{name} {what}", remedy)
