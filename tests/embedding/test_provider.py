"""Profiles and templates."""

import hashlib

import pytest

from codequarry.core.errors import ProfileMismatch
from codequarry.embedding.provider import Profile, apply_template, require_profile


def test_profile_id_names_model_and_chunk_profile():
    """The id is provider:model:dimensions:cosine:preprocessor (contract.md E9)."""
    profile = Profile("ollama", "nomic-embed-text", 768)
    assert profile.profile_id == "ollama:nomic-embed-text:768:cosine"
    assert profile.of_chunks("chunks-v1").profile_id == (
        "ollama:nomic-embed-text:768:cosine:chunks-v1"
    )


def test_profile_id_hashes_templates_and_options():
    """Templates and Ollama settings enter as hashes over NUL-separated values (contract.md E9)."""
    profile = Profile(
        "ollama", "m", 8, "c", "q: ", "d: ", ollama_context=2048, ollama_options='{"a":1}'
    )
    templates = hashlib.sha256(b"q: \0d: ").hexdigest()
    options = hashlib.sha256(b'2048\0{"a":1}').hexdigest()
    assert profile.profile_id == f"ollama:m:8:cosine:c:templates:{templates}:ollama:{options}"


def test_another_profile_is_refused_with_the_remedy():
    """Vectors of two profiles never mix; the message names the full run (J-40)."""
    profile = Profile("house", "m", 256)
    require_profile(profile.profile_id, profile)
    with pytest.raises(ProfileMismatch, match="--full"):
        require_profile("house:m:128:cosine", profile)


@pytest.mark.parametrize(
    ("template", "worded"),
    [("", "x y"), ("query: ", "query: x y"), ("<{{text}}>", "<x y>"), ("{{text}}", "x y")],
)
def test_templates(template, worded):
    """The slot is replaced; a template without one is a prefix."""
    assert apply_template(template, "x y") == worded
