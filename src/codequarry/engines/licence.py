"""The licence gate: may this engine be used here (engines.md 7)?

Asked before any process of an engine starts. The decision is a value that travels in every answer
and receipt that used the engine.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from codequarry.engines.open_licences import COPYLEFT, PERMISSIVE

if TYPE_CHECKING:
    from license_expression import Licensing  # type: ignore[import-untyped]

Linkage = Literal["in_process", "subprocess", "network"]
Deployment = Literal["commercial", "noncommercial", "unspecified"]

_NONCOMMERCIAL = re.compile(r"PolyForm-Noncommercial-.+|CC-BY-NC-.+", re.IGNORECASE)
_SOURCE_AVAILABLE = re.compile(r"BUSL-1\.1|SSPL-1\.0|Commons-Clause", re.IGNORECASE)
_LICENSE_REF = re.compile("LicenseRef-", re.IGNORECASE)


@dataclass(frozen=True)
class Evidence:
    """One place where a licence was read.

    Args:
        source: Such as ``package.json`` or ``LICENSE``.
        spdx: The expression found there.
        sha256: Of the file, when it was read.
        read_at: RFC 3339 date.
    """

    source: str
    spdx: str
    sha256: str = ""
    read_at: str = ""


@dataclass(frozen=True)
class EngineLicense:
    """What is known of an engine's licence.

    Args:
        spdx: The declared SPDX expression.
        evidence: Where it was read; where these differ, the strictest counts.
        transitive: Packages it needs, and their licences.
        linkage: How it is run.
    """

    spdx: str
    evidence: tuple[Evidence, ...] = ()
    transitive: tuple[tuple[str, str], ...] = ()
    linkage: Linkage = "subprocess"


@dataclass(frozen=True)
class Grant:
    """A permission that somebody recorded; bringing an engine oneself is one too.

    Args:
        expires: The last day it holds; ``None`` holds for ever.
    """

    engine: str
    spdx: str
    granted_by: str
    reference: str
    expires: date | None = None


@dataclass(frozen=True)
class Decision:
    """What the gate decided, by which rule.

    Args:
        engine: The engine asked about.
        spdx: The expression that decided.
        allowed: Whether it may be used.
        rule: ``permissive``, ``copyleft-apart``, ``copyleft-in-process``, ``noncommercial``,
            ``noncommercial-use`` (allowed), ``source-available``,
            ``unknown-licence``, ``granted`` or ``grant-expired``.
        hint: What to do about a refusal.
        deployment: The policy it was decided under; ``unspecified`` counts as commercial.
        warnings: What the user should know though it was allowed.
        grant: Reference of the grant that allowed it, or ``""``.
    """

    engine: str
    spdx: str
    allowed: bool
    rule: str
    hint: str = ""
    deployment: Deployment = "unspecified"
    warnings: tuple[str, ...] = ()
    grant: str = ""


class Strictness(IntEnum):
    """Ids from the freest to the strictest."""

    PERMISSIVE = 0
    COPYLEFT = 1
    NONCOMMERCIAL = 2
    SOURCE_AVAILABLE = 3
    UNKNOWN = 4


_RULES = {
    Strictness.NONCOMMERCIAL: "noncommercial",
    Strictness.SOURCE_AVAILABLE: "source-available",
    Strictness.UNKNOWN: "unknown-licence",
    Strictness.COPYLEFT: "copyleft-in-process",
}


def decide(
    engine: str,
    licence: EngineLicense,
    grants: Sequence[Grant],
    deployment: Deployment,
    today: date,
) -> Decision:
    """Decide whether an engine may be used.

    In an expression ``A OR B`` counts as the freer of the two, ``A AND B`` as the stricter, and an
    exception (``WITH``) stays with its licence. A ``LicenseRef-…`` is unknown.

    Args:
        engine: Its id.
        licence: What is known of its licence.
        grants: Recorded permissions.
        deployment: What this deployment is used for.
        today: The day that grants are measured against.
    """
    spdx = _strictest(licence)
    found = classify(spdx)
    warnings = _warnings(licence, spdx)
    if found == Strictness.PERMISSIVE:
        return Decision(engine, spdx, True, "permissive", "", deployment, warnings)
    if found == Strictness.NONCOMMERCIAL and deployment == "noncommercial":
        return Decision(engine, spdx, True, "noncommercial-use", "", deployment, warnings)
    if found == Strictness.COPYLEFT and licence.linkage != "in_process":
        return Decision(engine, spdx, True, "copyleft-apart", "", deployment, warnings)
    held = [grant for grant in grants if grant.engine == engine and _same(grant.spdx, spdx)]
    for grant in held:
        if grant.expires is None or today <= grant.expires:
            reference = grant.reference
            return Decision(engine, spdx, True, "granted", "", deployment, warnings, reference)
    rule = "grant-expired" if held else _RULES[found]
    return Decision(engine, spdx, False, rule, _hint(engine, spdx), deployment, warnings)


def classify(spdx: str) -> Strictness:
    """Give how strict an SPDX expression is."""
    parsed = _parsed(spdx)
    return Strictness.UNKNOWN if parsed is None else _class_of(parsed)


def _class_of(node: Any) -> Strictness:
    from license_expression import AND, OR, LicenseWithExceptionSymbol

    if isinstance(node, AND | OR):
        worst = max if isinstance(node, AND) else min
        return worst(_class_of(part) for part in node.args)
    if isinstance(node, LicenseWithExceptionSymbol):
        return max(_class_of(node.license_symbol), _exception_class(node.exception_symbol.key))
    return _class_of_id(node.key)


def _exception_class(key: str) -> Strictness:
    """An exception only adds permissions, but for one that takes the sale away."""
    if _SOURCE_AVAILABLE.fullmatch(key):
        return Strictness.SOURCE_AVAILABLE
    known = key in _licensing().known_symbols and not _LICENSE_REF.match(key)
    return Strictness.PERMISSIVE if known else Strictness.UNKNOWN


def _class_of_id(key: str) -> Strictness:
    if _NONCOMMERCIAL.fullmatch(key):
        return Strictness.NONCOMMERCIAL
    if _SOURCE_AVAILABLE.fullmatch(key):
        return Strictness.SOURCE_AVAILABLE
    if key in PERMISSIVE:
        return Strictness.PERMISSIVE
    # An id that merely exists tells nothing: SPDX lists source-available licences too.
    return Strictness.COPYLEFT if key in COPYLEFT else Strictness.UNKNOWN


def _strictest(licence: EngineLicense) -> str:
    stated = [licence.spdx, *(evidence.spdx for evidence in licence.evidence)]
    return max(stated, key=classify)


def _warnings(licence: EngineLicense, spdx: str) -> tuple[str, ...]:
    ids = sorted({licence.spdx, *(evidence.spdx for evidence in licence.evidence)})
    found = []
    if len(ids) > 1:
        found.append(f"its evidence differs ({', '.join(ids)}); {spdx} was taken")
    for package, its in licence.transitive:
        if classify(its) >= Strictness.COPYLEFT:
            found.append(f"it needs {package} ({its}): run it apart, never bundle it unreviewed")
    return tuple(found)


def _same(granted: str, asked: str) -> bool:
    left, right = _parsed(granted), _parsed(asked)
    return granted == asked or (left is not None and left == right)


def _hint(engine: str, spdx: str) -> str:
    return (
        f"record a permission in engines.toml: [[code_index.grants]] with engine = {engine!r}, "
        f"spdx = {spdx!r}, granted_by, reference and expires"
    )


@lru_cache(maxsize=1)
def _licensing() -> "Licensing":
    from license_expression import get_spdx_licensing

    return get_spdx_licensing()


@lru_cache(maxsize=256)
def _parsed(spdx: str) -> Any:
    """Parse an expression; ``None`` when it is none. Unknown ids stay, and class as unknown."""
    from boolean.boolean import ParseError  # type: ignore[import-untyped]
    from license_expression import ExpressionError

    try:
        # The library knows some LicenseRefs as another name of an open licence; we do not.
        return _licensing().parse(_LICENSE_REF.sub("LicenseRef-unread-", spdx))
    except (ExpressionError, ParseError, ValueError):
        return None
