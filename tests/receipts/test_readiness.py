"""The readiness envelope, and the embedding profile that it compares."""

from collections.abc import Mapping

import pytest

from codequarry.receipts.freshness import State, Verdict
from codequarry.receipts.readiness import Profiles, readiness
from codequarry.schemas.documents import HealthManifest
from tests.receipts.test_evidence import health

HOUSE = Profiles.of("", {}).current
assert HOUSE is not None
SAME, OTHER, NONE = HOUSE.profile_id, "openai:other:8:cosine", ""
OLLAMA = {"CODEQUARRY_EMBEDDING_PROVIDER": "ollama"}
BROKEN = {"CODEQUARRY_EMBEDDING_PROVIDER": "psychic"}


@pytest.mark.parametrize(
    ("stored", "environment", "status"),
    [
        (SAME, {}, "ok"),
        (OTHER, {}, "mismatch"),
        (SAME, OLLAMA, "mismatch"),
        (NONE, {}, "missing"),
        (SAME, BROKEN, "unusable"),
    ],
)
def test_profile_status(stored: str, environment: Mapping[str, str], status: str) -> None:
    """An index's profile is the configured one, another, not known, or the settings are wrong."""
    assert Profiles.of(stored, environment).status == status


def test_wrong_settings_are_named() -> None:
    """What is wrong with the settings names the variable."""
    assert "CODEQUARRY_EMBEDDING_PROVIDER" in Profiles.of(SAME, BROKEN).problem


def test_wrong_settings_are_no_match() -> None:
    """With settings that choose no model, the index is not ready; no command mends that."""
    found = readiness(Verdict("fresh", "why"), health(), Profiles.of(SAME, BROKEN))
    told = found.state, found.action, found.reason, found.profile_matches
    assert told == ("profile_mismatch", None, "embedding_settings_invalid", False)


CASES: list[tuple[State, HealthManifest | None, str, tuple[str, str | None, str | None]]] = [
    ("unknown", None, NONE, ("empty", "index", "why")),
    ("unknown", None, SAME, ("unknown", "index --full", "why")),
    ("fresh", health(), OTHER, ("profile_mismatch", "index --full", "embedding_profile_mismatch")),
    ("stale", health(), OTHER, ("profile_mismatch", "index --full", "embedding_profile_mismatch")),
    ("unknown", health(), SAME, ("unknown", "index --full", "why")),
    ("stale", health(), SAME, ("stale", "index", "why")),
    ("fresh", health(), SAME, ("ready", None, None)),
    ("fresh", health(), NONE, ("ready", None, None)),
]


@pytest.mark.parametrize(("state", "sidecar", "stored", "told"), CASES)
def test_envelope(
    state: State,
    sidecar: HealthManifest | None,
    stored: str,
    told: tuple[str, str | None, str | None],
) -> None:
    """Each state of contract.md E11 has its action; the first that holds wins."""
    found = readiness(Verdict(state, "why"), sidecar, Profiles.of(stored, {}))
    assert (found.state, found.action, found.reason) == told
    assert found.fresh is (state == "fresh")
    assert found.indexed is (told[0] != "empty")
    assert found.profile_matches is (stored == SAME)
    assert found.chunks == (2 if sidecar else 0)
    assert (found.stored_profile_id or "", found.active_profile_id) == (stored, SAME)
