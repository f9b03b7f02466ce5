"""The environment chooses the model."""

import pytest

from codequarry.core.errors import UsageError
from codequarry.embedding.house import HouseEmbedder
from codequarry.embedding.settings import PREFIX, EmbeddingSettings, make_embedder

SECRET = "sk-very-secret"


def read(**values: str) -> EmbeddingSettings:
    names = {name if name.startswith("OPENAI") else PREFIX + name: v for name, v in values.items()}
    return EmbeddingSettings.from_environment(names)


def test_the_bundled_model_is_the_default():
    """Nothing set means the model that needs no network."""
    assert isinstance(make_embedder(read()), HouseEmbedder)
    assert make_embedder(read()).profile == read().profile


def test_ollama_defaults():
    """Ollama's defaults are those of contract.md H2."""
    settings = read(PROVIDER="Ollama")
    assert (settings.model, settings.dimensions) == ("nomic-embed-text", 768)
    assert settings.base_url == "http://localhost:11434"


def test_every_setting_reaches_the_embedder():
    """Values arrive in the profile and the request limits; a prefix keeps its final space."""
    settings = read(
        PROVIDER="ollama",
        MODEL="mine",
        DIMENSIONS="12",
        QUERY_TEMPLATE="query: ",
        DOCUMENT_TEMPLATE="<{{text}}>",
        MAX_BATCH_SIZE="7",
        OLLAMA_CONTEXT="2048",
        OLLAMA_OPTIONS='{ "b": 2, "a": 1 }',
    )
    embedder = make_embedder(settings)
    assert embedder.max_items == 7
    assert embedder.profile == settings.profile
    assert settings.query_template == "query: "
    assert settings.ollama_options == '{"a":1,"b":2}'
    embedder.close()


def test_the_general_key_goes_to_the_general_address_only():
    """OPENAI_API_KEY is not sent to another address that was set for embeddings."""
    assert read(PROVIDER="openai", OPENAI_API_KEY=SECRET).api_key == SECRET
    elsewhere = read(PROVIDER="openai", OPENAI_API_KEY=SECRET, BASE_URL="http://10.0.0.1/v1")
    assert elsewhere.api_key == ""
    assert read(PROVIDER="openai", BASE_URL="http://10.0.0.1/v1", API_KEY="k").api_key == "k"


def test_keys_are_not_shown():
    """Neither the settings nor an error about them show a key."""
    assert SECRET not in repr(read(PROVIDER="openai", API_KEY=SECRET))
    with pytest.raises(UsageError) as raised:
        read(PROVIDER="openai", API_KEY=SECRET + "\nx")
    assert SECRET not in str(raised.value)
    with pytest.raises(UsageError) as raised:
        read(PROVIDER="openai", BASE_URL=f"http://user:{SECRET}@127.0.0.1/v1")
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"PROVIDER": "gpt"}, "PROVIDER"),
        ({"MODEL": "other"}, "MODEL"),
        ({"DIMENSIONS": "128"}, "DIMENSIONS"),
        ({"QUERY_TEMPLATE": "q: "}, "QUERY_TEMPLATE"),
        ({"PROVIDER": "ollama", "MODEL": "unheard-of"}, "DIMENSIONS"),
        ({"PROVIDER": "ollama", "DIMENSIONS": "many"}, "DIMENSIONS"),
        ({"PROVIDER": "ollama", "DIMENSIONS": "0"}, "DIMENSIONS"),
        ({"PROVIDER": "ollama", "DIMENSIONS": "9" * 5000}, "DIMENSIONS"),
        ({"PROVIDER": "ollama", "MAX_BATCH_SIZE": "-1"}, "MAX_BATCH_SIZE"),
        ({"PROVIDER": "ollama", "MAX_BATCH_SIZE": "00000000199999"}, "MAX_BATCH_SIZE"),
        ({"PROVIDER": "ollama", "TIMEOUT": "nan"}, "TIMEOUT"),
        ({"PROVIDER": "ollama", "TIMEOUT": "soon"}, "TIMEOUT"),
        ({"PROVIDER": "ollama", "BASE_URL": "localhost:11434"}, "BASE_URL"),
        ({"PROVIDER": "ollama", "BASE_URL": "http://[::1"}, "BASE_URL"),
        ({"PROVIDER": "ollama", "BASE_URL": "http://a:99999"}, "BASE_URL"),
        ({"PROVIDER": "ollama", "BASE_URL": "http://a/?x=1"}, "BASE_URL"),
        ({"PROVIDER": "ollama", "OLLAMA_OPTIONS": "[1]"}, "OLLAMA_OPTIONS"),
        ({"PROVIDER": "openai", "REQUEST_DIMENSIONS": "maybe"}, "REQUEST_DIMENSIONS"),
    ],
)
def test_bad_values_are_named_with_a_remedy(values, named):
    """A value that cannot be used is an error that names the variable and says what to do."""
    with pytest.raises(UsageError, match=PREFIX + named) as raised:
        read(**values)
    assert raised.value.remedy
