"""May the index be searched, and what makes it better: the envelope of contract.md E11."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.errors import UsageError
from codequarry.embedding.provider import Profile
from codequarry.embedding.settings import EmbeddingSettings
from codequarry.receipts.freshness import Verdict
from codequarry.schemas.documents import HealthManifest

State = Literal["empty", "profile_mismatch", "unknown", "stale", "ready"]
ProfileStatus = Literal["ok", "missing", "mismatch", "unusable"]

_ACTIONS: Mapping[State, str] = {
    "empty": "index",
    "profile_mismatch": "index --full",
    "unknown": "index --full",
    "stale": "index",
}


@dataclass(frozen=True)
class Profiles:
    """The embedding profile of an index, and the one that is configured (contract.md E9).

    Args:
        stored: Profile id that the index was made with; empty when nothing tells.
        current: The configured profile, or ``None`` when the settings are wrong.
        problem: What is wrong with the settings.
    """

    stored: str
    current: Profile | None
    problem: str = ""

    @classmethod
    def of(cls, stored: str, environment: Mapping[str, str]) -> "Profiles":
        """Read the settings; loads no model."""
        try:
            settings = EmbeddingSettings.from_environment(environment)
        except UsageError as error:
            return cls(stored, None, error.message)
        return cls(stored, settings.profile.of_chunks(CHUNK_PROFILE))

    @property
    def status(self) -> ProfileStatus:
        """Whether the two are one profile, as far as can be told."""
        if not self.stored:
            return "missing"
        if self.current is None:
            return "unusable"
        return "ok" if self.stored == self.current.profile_id else "mismatch"


class Readiness(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The envelope; ``action`` is the command that mends, without the program's name."""

    state: State
    indexed: bool
    fresh: bool
    chunks: int
    profile_matches: bool
    action: str | None = None
    reason: str | None = None
    stored_profile_id: str | None = None
    active_profile_id: str | None = None


def readiness(verdict: Verdict, health: HealthManifest | None, profiles: Profiles) -> Readiness:
    """Make the envelope; the first state that holds wins.

    Args:
        verdict: The index's freshness.
        health: Its health sidecar, if valid.
        profiles: Its embedding profile and the configured one.
    """
    indexed = health is not None or bool(profiles.stored)
    state = _state(verdict, profiles) if indexed else "empty"
    unusable = profiles.status == "unusable"
    mismatch = "embedding_settings_invalid" if unusable else "embedding_profile_mismatch"
    reasons = {"profile_mismatch": mismatch, "ready": None}
    return Readiness(
        state=state,
        indexed=indexed,
        fresh=verdict.state == "fresh",
        chunks=health.stats.chunks if health else 0,
        profile_matches=profiles.status == "ok",
        # No command mends a setting.
        action=None if unusable and state == "profile_mismatch" else _ACTIONS.get(state),
        reason=reasons.get(state, verdict.reason),
        stored_profile_id=profiles.stored or None,
        active_profile_id=profiles.current.profile_id if profiles.current else None,
    )


def _state(verdict: Verdict, profiles: Profiles) -> State:
    if profiles.status in ("mismatch", "unusable"):
        return "profile_mismatch"
    return "ready" if verdict.state == "fresh" else verdict.state
