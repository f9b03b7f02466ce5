"""The licence gate (engines.md 7)."""

from datetime import date

import pytest

from codequarry.engines.deployment import licence_of
from codequarry.engines.licence import (
    Decision,
    EngineLicense,
    Evidence,
    Grant,
    Strictness,
    classify,
    decide,
)
from codequarry.engines.mapping import shipped

TODAY = date(2026, 11, 30)
NONCOMMERCIAL = "PolyForm-Noncommercial-1.0.0"


def judged(
    licence: EngineLicense, *grants: Grant, deployment: str = "unspecified", engine: str = "a/b"
) -> Decision:
    return decide(engine, licence, grants, deployment, TODAY)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spdx", "strictness"),
    [
        ("MIT", Strictness.PERMISSIVE),
        ("Apache-2.0", Strictness.PERMISSIVE),
        ("MIT OR GPL-3.0-or-later", Strictness.PERMISSIVE),
        ("MIT AND GPL-3.0-or-later", Strictness.COPYLEFT),
        ("MIT OR (GPL-2.0-only AND BUSL-1.1)", Strictness.PERMISSIVE),
        ("GPL-2.0-only WITH Classpath-exception-2.0", Strictness.COPYLEFT),
        ("Apache-2.0 WITH LLVM-exception", Strictness.PERMISSIVE),
        ("Apache-2.0 WITH Commons-Clause", Strictness.SOURCE_AVAILABLE),
        ("AGPL-3.0-only", Strictness.COPYLEFT),
        (NONCOMMERCIAL, Strictness.NONCOMMERCIAL),
        ("CC-BY-NC-4.0", Strictness.NONCOMMERCIAL),
        ("CC-BY-NC-SA-4.0", Strictness.NONCOMMERCIAL),
        ("BUSL-1.1", Strictness.SOURCE_AVAILABLE),
        ("SSPL-1.0", Strictness.SOURCE_AVAILABLE),
        ("Commons-Clause", Strictness.SOURCE_AVAILABLE),
        ("LicenseRef-Acme", Strictness.UNKNOWN),
        ("LicenseRef-MIT-Discord", Strictness.UNKNOWN),
        ("NOASSERTION", Strictness.UNKNOWN),
        ("MIT AND", Strictness.UNKNOWN),
        ("MIT AND LicenseRef-Acme", Strictness.UNKNOWN),
        ("", Strictness.UNKNOWN),
        ("see LICENSE file", Strictness.UNKNOWN),
    ],
)
def test_expression_is_classed(spdx: str, strictness: Strictness) -> None:
    """OR counts as the freer part, AND as the stricter, WITH stays, and LicenseRef is unknown."""
    assert classify(spdx) == strictness


def test_gitnexus_is_refused_by_default() -> None:
    """GitNexus is refused with the rule's name and how to record a grant."""
    gitnexus = next(m for m in shipped() if m.id == "abhigyanpatwari/gitnexus")
    decision = judged(licence_of(gitnexus), engine=gitnexus.id)
    assert (decision.allowed, decision.rule, decision.spdx) == (
        False,
        "noncommercial",
        NONCOMMERCIAL,
    )
    assert "code_index.grants" in decision.hint


@pytest.mark.parametrize("deployment", ["commercial", "unspecified"])
def test_unspecified_counts_as_commercial(deployment: str) -> None:
    """What a commercial deployment may not use, an unspecified one may not either."""
    assert not judged(EngineLicense(NONCOMMERCIAL), deployment=deployment).allowed


def test_noncommercial_deployment_may_use_it() -> None:
    """A deployment that says it is not commercial may use what is free for such ones only."""
    assert judged(EngineLicense(NONCOMMERCIAL), deployment="noncommercial").allowed
    assert not judged(EngineLicense("SSPL-1.0"), deployment="noncommercial").allowed


def test_grant_allows_until_its_last_day() -> None:
    """A grant holds on its last day, and not on the next one, which has a rule of its own."""
    licence = EngineLicense(NONCOMMERCIAL)
    grant = Grant("a/b", NONCOMMERCIAL, "legal", "LIC-17", TODAY)
    allowed = judged(licence, grant)
    assert (allowed.allowed, allowed.rule, allowed.grant) == (True, "granted", "LIC-17")
    expired = Grant("a/b", NONCOMMERCIAL, "legal", "LIC-16", date(2026, 11, 29))
    assert judged(licence, expired).rule == "grant-expired"
    assert judged(licence, expired, grant).allowed


@pytest.mark.parametrize(
    "grant",
    [
        Grant("a/other", NONCOMMERCIAL, "legal", "x"),
        Grant("a/b", "BUSL-1.1", "legal", "x"),
    ],
)
def test_grant_is_for_one_engine_and_licence(grant: Grant) -> None:
    """A grant for another engine, or for another licence, allows nothing."""
    assert not judged(EngineLicense(NONCOMMERCIAL), grant).allowed


def test_copyleft_is_kept_apart() -> None:
    """GPL is allowed in a process of its own and refused in ours."""
    assert judged(EngineLicense("GPL-3.0-only")).rule == "copyleft-apart"
    inside = judged(EngineLicense("GPL-3.0-only", linkage="in_process"))
    assert (inside.allowed, inside.rule) == (False, "copyleft-in-process")


def test_strictest_evidence_decides() -> None:
    """Where the evidence differs, the strictest reading counts, and the conflict is told."""
    licence = EngineLicense(
        "MIT", (Evidence("package.json", "MIT"), Evidence("LICENSE", "SSPL-1.0"))
    )
    decision = judged(licence)
    assert (decision.allowed, decision.rule) == (False, "source-available")
    assert "MIT, SSPL-1.0" in decision.warnings[0]


def test_transitive_copyleft_is_warned_of() -> None:
    """Axon may be used, and its answers tell that it needs GPL packages."""
    axon = next(m for m in shipped() if m.id == "harshkedia177/axon")
    decision = judged(licence_of(axon), engine=axon.id)
    assert decision.allowed
    assert [word for w in decision.warnings for word in w.split() if word.endswith("graph")] == [
        "igraph"
    ]
    assert "leidenalg" in decision.warnings[1]


@pytest.mark.parametrize(
    "spdx",
    [
        "Elastic-2.0",
        "PolyForm-Small-Business-1.0.0",
        "FSL-1.1-MIT",
        "FSL-1.1-ALv2",
        "CC-BY-ND-4.0",
        "Aladdin",
        "Parity-7.0.0",
        "Hippocratic-2.1",
        "JSON",
    ],
)
def test_a_known_id_is_not_an_open_one(spdx: str) -> None:
    """SPDX lists licences that forbid things too: only those of a list are allowed."""
    assert classify(spdx) == Strictness.UNKNOWN
    assert judged(EngineLicense(spdx)).rule == "unknown-licence"
    assert judged(EngineLicense(f"MIT AND {spdx}")).allowed is False


@pytest.mark.parametrize("spdx", ["LGPL-2.1-or-later", "MPL-2.0", "GPL-3.0", "GPL-2.0+", "EPL-2.0"])
def test_weak_copyleft_is_copyleft(spdx: str) -> None:
    """What asks something of linked code is allowed apart and refused in our process."""
    assert judged(EngineLicense(spdx)).rule == "copyleft-apart"
    assert judged(EngineLicense(spdx, linkage="in_process")).rule == "copyleft-in-process"


def test_noncommercial_use_has_a_rule_of_its_own() -> None:
    """What a noncommercial deployment may use is not called permissive."""
    decision = judged(EngineLicense(NONCOMMERCIAL), deployment="noncommercial")
    assert (decision.allowed, decision.rule) == (True, "noncommercial-use")


def test_an_unknown_exception_is_unknown() -> None:
    """An exception that nobody listed may take anything away."""
    assert classify("MIT WITH LicenseRef-No-Sale") == Strictness.UNKNOWN
