"""gortex over /v1, against a server built from its shapes: no real gortex is proved by this."""

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.adapter import MappedIndex
from codequarry.engines.deployment import engines_of
from codequarry.engines.types import CodeAnswer, CodeEdgeKind, CodeQuery, CodeRef
from tests.fakes.engines.http import HEALTH, Answer, Served, json_reply, serving, tool_reply

ROW = {"id": "shop/pricing.py::f", "name": "f", "kind": "function", "file_path": "shop/pricing.py"}


def engine_at(state: StateDirectory, served: Served, token: str = "hunter2") -> MappedIndex:
    state.prepare()
    state.engine_settings.write_text(
        f'[code_index.engines."zzet/gortex"]\nurl = "{served.url}"\n'
        'token_variable = "GORTEX_TOKEN"\n'
    )
    environment = {"PATH": "", "GORTEX_TOKEN": token}
    engine = engines_of(state, environment).registry.resolve("zzet/gortex")
    assert isinstance(engine, MappedIndex)
    return engine


def gortex(tools: dict[str, Callable[[dict], object]], health: object = HEALTH) -> Answer:
    """Serve /v1 with these tools."""

    def answer(method: str, path: str, body: dict):
        if path == "/v1/health":
            return json_reply(health)
        if path == "/v1/tools":
            return json_reply([{"name": name, "description": "…"} for name in sorted(tools)])
        name = path.removeprefix("/v1/tools/")
        if name not in tools:
            missing = {"error": "tool_not_found", "message": name, "available_tools": []}
            return json_reply(missing, 404)
        found = tools[name](body["arguments"])
        return found if isinstance(found, tuple) else tool_reply(found)

    return answer


def search(state: StateDirectory, served: Served, token: str = "hunter2") -> CodeAnswer:
    async def ask() -> CodeAnswer:
        engine = engine_at(state, served, token)
        try:
            return await engine.search(CodeQuery("f", "shop"))
        finally:
            await engine.close()

    return asyncio.run(ask())


def test_search_names_the_project_and_asks_for_json(state: StateDirectory, shop: Project) -> None:
    """Every call carries the project's root and the token, and asks for JSON."""
    rows = [{**ROW, "start_line": 9}]
    with serving(gortex({"search_symbols": lambda _: {"results": rows, "total": 1}})) as served:
        found = search(state, served)
    assert [(hit.ref.path, hit.ref.start_line, hit.score) for hit in found.items] == [
        ("shop/pricing.py", 9, 1.0)
    ]
    method, path, headers, body = served.asked[-1]
    assert (method, path) == ("POST", "/v1/tools/search_symbols")
    assert headers["x-gortex-cwd"] == str(shop.root)
    assert headers["authorization"] == "Bearer hunter2"
    assert body == {"arguments": {"query": "f", "limit": 20}, "format": "json"}


def test_neighbours_are_asked_by_its_own_id(state: StateDirectory, shop: Project) -> None:
    """A node of ours is found by search first, and gortex is asked by the id it gave."""
    caller = {"id": "shop/cart.py::g", "name": "g", "file_path": "shop/cart.py", "start_line": 31}
    tools = {
        "search_symbols": lambda _: {"results": [{**ROW, "start_line": 9}]},
        "get_callers": lambda arguments: {
            "results": [caller] if arguments["id"] == ROW["id"] else []
        },
    }
    node = CodeRef(shop.producer_key, "shop/pricing.py", 9, None, None, "f", "function")

    async def ask(served: Served) -> CodeAnswer[CodeRef]:
        engine = engine_at(state, served)
        try:
            return await engine.neighbors(node, CodeEdgeKind.CALLED_BY)
        finally:
            await engine.close()

    with serving(gortex(tools)) as served:
        found = asyncio.run(ask(served))
    assert [ref.name for ref in found.items] == ["g"]


@pytest.mark.parametrize(
    "health", [{**HEALTH, "api_version": 2}, {**HEALTH, "schema_version": 7}, {"status": "ok"}, []]
)
def test_other_major_version_is_refused(
    state: StateDirectory, shop: Project, health: object
) -> None:
    """An interface of another version, or no gortex at all, is refused with what was found."""
    with serving(gortex({}, health)) as served:
        found = search(state, served)
    assert found.outcome in ("failed", "unavailable")
    assert "gortex" in found.warnings[0]
    assert len(served.asked) == 1


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (json_reply({"error": "tool_error", "message": "boom"}, 500), "failed"),
        (
            json_reply({"error": "tool_error", "message": "stale graph after mutation"}, 500),
            "stale",
        ),
        (json_reply({"error": "bad", "message": "malformed"}, 400), "failed"),
        ((200, {}, b"<html>"), "failed"),
        ((307, {"Location": "http://localhost:1/"}, b""), "failed"),
    ],
)
def test_errors_of_the_interface(
    state: StateDirectory, shop: Project, reply: tuple, outcome: str
) -> None:
    """Each error is a state; a graph that is stale after a change is stale, not broken."""
    with serving(gortex({"search_symbols": lambda _: reply})) as served:
        found = search(state, served)
    assert (found.outcome, found.nothing_there) == (outcome, False)


def test_relaxed_filter_degrades(state: StateDirectory, shop: Project) -> None:
    """An engine that dropped our filter gives a degraded answer."""
    tools = {"search_symbols": lambda _: {"results": [], "filters_relaxed": True}}
    with serving(gortex(tools)) as served:
        assert search(state, served).completeness == "degraded"


def test_unconfigured_gortex_is_not_called(state: StateDirectory, shop: Project) -> None:
    """Without an address in the settings no port is tried."""
    found = engines_of(state).registry.unavailable_hint("zzet/gortex")
    assert found is not None
    assert "engines.toml" in found


def test_a_root_and_a_token_need_not_be_ascii(state: StateDirectory, tmp_path: Path) -> None:
    """A project below ``/home/ü`` is named in UTF-8."""
    (tmp_path / "ü").mkdir()
    project = Registry(state).add(tmp_path / "ü", "shop")
    with serving(gortex({"search_symbols": lambda _: {"results": []}})) as served:
        state.prepare()
        found = search(state, served, token="clé")
    assert found.outcome == "answered"
    sent = served.asked[-1][2]
    assert sent["x-gortex-cwd"].encode("latin-1").decode() == str(project.root)
    assert sent["authorization"].encode("latin-1").decode() == "Bearer clé"


@pytest.mark.parametrize("path", ["/v1/health", "/v1/tools", "/v1/tools/search_symbols"])
@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"[" * 5_000 + b"]" * 5_000),
        ({"Content-Encoding": "gzip"}, gzip.compress(b" " * 50_000_000)),
        ({}, b"\xff" * 100),
    ],
)
def test_a_hostile_body_is_a_failure(
    state: StateDirectory, shop: Project, path: str, headers: dict[str, str], body: bytes
) -> None:
    """Endless brackets, a packed bomb, no text at all: wherever, one failure."""
    usual = gortex({"search_symbols": lambda _: {"results": []}})

    def answer(method: str, asked: str, document: dict):
        return (200, headers, body) if asked == path else usual(method, asked, document)

    with serving(answer) as served:
        found = search(state, served)
    assert (found.outcome, found.nothing_there) == ("failed", False)
    assert served.asked[0][2]["accept-encoding"] == "identity"


def test_a_tool_that_appears_later_is_not_called(state: StateDirectory, shop: Project) -> None:
    """Tools of /v1 are approved at first use too."""
    with serving(gortex({"get_callers": lambda _: {"results": []}})) as served:
        search(state, served)
    with serving(gortex({"search_symbols": lambda _: {"results": []}})) as served:
        found = search(state, served)
    assert found.outcome == "unavailable"
    assert "--approve" in found.warnings[0]
    assert [path for _, path, _, _ in served.asked] == ["/v1/health", "/v1/tools"]
