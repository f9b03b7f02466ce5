"""Adapters that no real engine has answered, end to end against fakes built from their shapes."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.adapter import MappedIndex
from codequarry.engines.deployment import engines_of
from codequarry.engines.types import CodeEdgeKind, CodeQuery, CodeRef
from tests.engines.conftest import FAKES
from tests.engines.recorded import GITNEXUS_AMBIGUOUS, GITNEXUS_CONTEXT

GRANT = """
[[code_index.grants]]
engine = "abhigyanpatwari/gitnexus"
spdx = "PolyForm-Noncommercial-1.0.0"
granted_by = "legal"
reference = "LIC-17"
"""
CODEMAP = """
import json, sys
argv = sys.argv[1:]
if argv == ["version"]:
    print("codemap version 2.31.0")
elif argv[:2] == ["impact", "--json"] and "--selector" in argv:
    selector = json.loads(argv[argv.index("--selector") + 1])
    caller = {"symbol": "g", "fqn": "a.g", "kind": "function", "file": "shop/cart.py"}
    caller["start_line"] = 31
    result = {"symbol": "f", "selector": selector, "found": True, "direct_callers": [caller],
              "blast_radius": [{**caller, "depth": 1}], "tests": [], "call_graph": "resolved"}
    print(json.dumps({"indexed": True, "results": [result], "freshness": {"stale": False}}))
elif argv[:1] == ["impact"]:
    failure = {"ok": False, "error": "symbol nope not found", "code": "not_found", "hint": "x"}
    print(json.dumps(failure)); sys.exit(2)
else:
    failure = {"ok": False, "error": "project demo is not indexed yet", "code": "not_indexed"}
    print(json.dumps(failure)); sys.exit(2)
"""

Ask = Callable[..., list[Any]]


@pytest.fixture
def ask(tmp_path: Path, state: StateDirectory, shop: Project) -> Ask:
    """Put a program in an engine's place, and ask the engine."""

    def asked(engine: str, code: str, environment: dict[str, str], *questions: Any) -> list[Any]:
        (tmp_path / "engine.py").write_text(code)
        program = tmp_path / "engine"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/engine.py" "$@"\n')
        program.chmod(0o755)
        state.prepare()
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in environment.items())
        state.engine_settings.write_text(
            f'[code_index.engines."{engine}"]\ncommand = "{program}"\n'
            "deadlines = { search = 20.0, context = 20.0, impact = 20.0, status = 20.0 }\n"
            f'[code_index.engines."{engine}".environment]\n{lines}{GRANT}'
        )
        found = engines_of(state).registry.resolve(engine)
        assert isinstance(found, MappedIndex), found

        async def run() -> list[Any]:
            try:
                return [await question(found) for question in questions]
            finally:
                await found.close()

        return asyncio.run(run())

    return asked


def served(
    folder: Path, name: str, version: str, calls: dict[str, Any]
) -> tuple[str, dict[str, str]]:
    """Give the code and the environment of a fake MCP server."""
    (folder / "replies.json").write_text(json.dumps({"name": name, "calls": calls}))
    environment = {"FAKE_REPLIES": str(folder / "replies.json"), "FAKE_VERSION": version}
    return (FAKES / "mcp_stdio.py").read_text(), environment


def node(project: Project, name: str, path: str = "", line: int | None = None) -> CodeRef:
    return CodeRef(project.producer_key, path, line, None, None, name, "function")


def test_lzehrung_is_asked_by_handle(ask: Ask, tmp_path: Path, shop: Project) -> None:
    """A node is searched for first, then its callers are asked by the handle that was found."""
    place = {"label": "f", "file": "shop/pricing.py", "range": {"start": {"line": 9}}, "score": 4.0}
    caller = {
        "handle": "h2",
        "label": "g",
        "file": "shop/cart.py",
        "range": {"start": {"line": 31}},
    }
    calls = {
        "search": {"structured": {"results": [{"handle": "h1", **place}]}},
        "calls": {"structured": {"results": [caller], "unresolvedSites": 2}},
    }
    code, environment = served(tmp_path, "codegraph-mcp", "codegraph 3.0.0", calls)
    callers, missing = ask(
        "lzehrung/codegraph",
        code,
        environment,
        lambda e: e.neighbors(node(shop, "f", "shop/pricing.py", 9), CodeEdgeKind.CALLED_BY),
        lambda e: e.neighbors(node(shop, "nope"), CodeEdgeKind.CALLED_BY),
    )
    assert [(ref.name, ref.start_line) for ref in callers.items] == [("g", 31)]
    assert (callers.completeness, missing.outcome) == ("lower_bound", "not_found")


def test_the_other_codegraph_is_no_codegraph_of_ours(ask: Ask, tmp_path: Path) -> None:
    """Two projects have a program `codegraph`; each is refused in the other's place."""
    code, environment = served(tmp_path, "codegraph", "1.6.1", {})
    (found,) = ask(
        "lzehrung/codegraph", code, environment, lambda e: e.search(CodeQuery("f", "shop"))
    )
    assert found.outcome == "unavailable"
    code, environment = served(tmp_path, "codegraph-mcp", "codegraph 3.0.0", {})
    (found,) = ask(
        "colbymchenry/codegraph", code, environment, lambda e: e.search(CodeQuery("f", "shop"))
    )
    assert found.outcome == "unavailable"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (GITNEXUS_CONTEXT, "answered"),
        (GITNEXUS_AMBIGUOUS, "ambiguous"),
        ('{"error": "Symbol \'apply_discount\' not found"}', "not_found"),
    ],
)
def test_gitnexus_with_a_grant(
    ask: Ask, tmp_path: Path, shop: Project, text: str, outcome: str
) -> None:
    """GitNexus answers once a grant is recorded, and the grant stands in its answer."""
    calls = {"context": {"text": text}}
    code, environment = served(tmp_path, "gitnexus", "1.2.3", calls)
    (found,) = ask(
        "abhigyanpatwari/gitnexus",
        code,
        environment,
        lambda e: e.neighbors(node(shop, "apply_discount"), CodeEdgeKind.CALLED_BY),
    )
    assert found.outcome == outcome
    assert (found.licence.rule, found.licence.grant) == ("granted", "LIC-17")


def test_codemap_is_asked_by_selector(ask: Ask, shop: Project) -> None:
    """codemap gets a selector when the file is known, and its kinds of no-answer stay apart."""
    impact, missing, unindexed = ask(
        "abdul-hamid-achik/codemap",
        CODEMAP,
        {},
        lambda e: e.impact(node(shop, "f", "shop/pricing.py", 9)),
        lambda e: e.impact(node(shop, "nope")),
        lambda e: e.search(CodeQuery("f", "shop")),
    )
    assert [(ref.name, ref.fqn, ref.depth) for ref in impact.items] == [("g", "a.g", 1)]
    assert impact.completeness == "complete"
    assert (missing.outcome, unindexed.outcome) == ("not_found", "not_indexed")
    assert (missing.nothing_there, unindexed.nothing_there) == (True, False)
