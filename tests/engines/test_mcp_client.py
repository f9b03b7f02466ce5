"""An MCP server that misbehaves: a clear state each time, and nothing else broken."""

import asyncio
import gzip
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codequarry.core.errors import EngineError
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.adapter import MappedIndex
from codequarry.engines.bench import Bench
from codequarry.engines.deployment import engines_of
from codequarry.engines.mcp_client import McpChannel, Server
from codequarry.engines.types import CodeAnswer, CodeHit, CodeQuery, CodeRef
from tests.engines.conftest import FAKES, MAPPING, Fake, Settings, alive
from tests.fakes.engines.http import Answer, json_reply, serving

ROWS = {"rows": [{"name": "f", "path": "shop/cart.py", "line": 3, "score": 0.5}]}
GOOD = {"structured": ROWS}
Build = Callable[[Settings], Fake]


def search(fake: Fake, *texts: str) -> list[CodeAnswer[CodeHit]]:
    """Ask several questions of one engine, one after the other, and close it."""

    async def ask() -> list[CodeAnswer[CodeHit]]:
        try:
            return [await fake.engine.search(CodeQuery(text, "shop")) for text in texts or ("f",)]
        finally:
            await fake.engine.close()

    return asyncio.run(ask())


def test_good_server_answers_from_one_process(fake: Build) -> None:
    """A server is started at the first question, kept for the next, and named in the answer."""
    engine = fake(Settings({"search": GOOD}))
    first, second = search(engine, "f", "g")
    assert [hit.ref.path for hit in first.items] == ["shop/cart.py"]
    assert (first.outcome, first.completeness, first.engine) == (
        "answered",
        "complete",
        "fake/engine",
    )
    assert first.licence is not None
    assert first.licence.allowed
    assert second.items
    assert len({call["pid"] for call in engine.asked}) == 1
    assert engine.asked[0]["arguments"] == {"query": "f", "limit": 20}


def test_server_lives_apart(
    fake: Build, state: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server has a HOME and a copy of the tree of its own, and none of our secrets."""
    monkeypatch.setenv("SECRET", "hunter2")
    engine = fake(Settings({"search": GOOD}))
    search(engine)
    call = engine.asked[0]
    assert call["env"]["HOME"].startswith(str(state.engines))
    assert call["cwd"].startswith(str(state.engines))
    assert call["env"]["SECRET"] is None


@pytest.mark.parametrize(
    ("fault", "why"),
    [("die", "it ended"), ("huge", "more than 16777216 bytes"), ("endless_flood", "no frame")],
)
def test_server_that_breaks_down(fake: Build, fault: str, why: str) -> None:
    """A server that dies, or sends 50 MB or endless logs, fails the call and says why."""
    (answer,) = search(fake(Settings({"search": {"fault": fault}})))
    assert (answer.outcome, answer.completeness, answer.nothing_there) == (
        "failed",
        "unknown",
        False,
    )
    assert why in answer.warnings[0]


@pytest.mark.parametrize("fault", ["never", "half_frame"])
def test_server_that_stays_silent(fake: Build, fault: str) -> None:
    """Half a frame, or no answer, ends at the deadline."""
    started = time.monotonic()
    (answer,) = search(fake(Settings({"search": {"fault": fault}}, seconds=0.5)))
    assert answer.outcome == "failed"
    assert "0.5 s" in answer.warnings[0]
    assert time.monotonic() - started < 30


def test_dead_server_is_started_again(fake: Build) -> None:
    """After a crash the next question gets a new process."""
    engine = fake(Settings({"search": GOOD, "context": {"fault": "die"}}))

    async def ask() -> tuple[str, str]:
        node = CodeRef(key_of(engine.engine), "", None, None, None, "f", "function")
        broken = await engine.engine.context(node)
        answered = await engine.engine.search(CodeQuery("f", "shop"))
        await engine.engine.close()
        return broken.outcome, answered.outcome

    assert asyncio.run(ask()) == ("failed", "answered")


def key_of(engine: MappedIndex) -> str:
    return engine._setup.workspaces.named("shop").producer_key


@pytest.mark.parametrize("fault", ["flood", "garbage"])
def test_noise_is_skipped_and_counted(
    fake: Build, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of stdout that are no frame are skipped, and counted."""
    seen = []
    close = McpChannel.close

    async def watched(self: McpChannel) -> None:
        seen.append(self.traffic.noise_bytes)
        await close(self)

    monkeypatch.setattr(McpChannel, "close", watched)
    (answer,) = search(fake(Settings({"search": {**GOOD, "fault": fault}})))
    assert answer.outcome == "answered"
    assert max(seen) >= 5


def test_silent_handshake_is_bounded(shop: Project, tmp_path: Path) -> None:
    """A server that never finishes its handshake is ended, and is a failure with a remedy."""
    (tmp_path / "replies.json").write_text('{"handshake_fault": "never", "calls": {}}')
    environment = {"FAKE_REPLIES": str(tmp_path / "replies.json")}
    bench = Bench(shop, tmp_path / "tree", tmp_path / "home", environment)
    argv = (sys.executable, str(FAKES / "mcp_stdio.py"))

    async def opened() -> None:
        await McpChannel(Server(bench, argv, handshake_seconds=0.5)).open()

    with pytest.raises(EngineError, match="did not start within"):
        asyncio.run(opened())


def test_grandchildren_end_with_the_server(fake: Build, tmp_path: Path) -> None:
    """Whatever a server started is gone when it is closed."""
    pid_file = tmp_path / "grandchild"
    search(fake(Settings({"search": GOOD}, {"grandchild": str(pid_file)})))
    pid = int(pid_file.read_text())
    for _ in range(100):
        if not alive(pid):
            break
        time.sleep(0.05)
    assert not alive(pid)


def test_rule_6_unlisted_tools_are_callable(fake: Build) -> None:
    """A tool that is not listed is called all the same; probing tells what answered."""
    engine = fake(Settings({"search": GOOD, "context": {"text": "Symbol x not found"}}))

    async def probe() -> dict[str, str]:
        found = await engine.engine.probe("shop")
        await engine.engine.close()
        return dict(found.probed)

    assert asyncio.run(probe()) == {
        "search": "answered",
        "context": "callable",
        "status": "failed: it reported an error",
    }


def test_another_program_of_that_name(fake: Build) -> None:
    """A server that calls itself otherwise is refused."""
    (answer,) = search(fake(Settings({"search": GOOD}, {"name": "codegraph"})))
    assert answer.outcome == "unavailable"
    assert "another program answers" in answer.warnings[0]


@pytest.mark.parametrize(
    ("version", "why"),
    [("other 1.2.3", "another program of that name"), ("fake 7.0.0", "version 7.0.0")],
)
def test_wrong_program_or_version(fake: Build, version: str, why: str) -> None:
    """A program that prints another name or version is refused before it is asked."""
    engine = fake(Settings({"search": GOOD}, version=version))
    (answer,) = search(engine)
    assert answer.outcome == "unavailable"
    assert why in answer.warnings[0]
    assert engine.asked == []


def test_any_version_can_be_allowed(fake: Build) -> None:
    """A setting lets a version through that nobody tried."""
    settings = Settings({"search": GOOD}, version="fake 7.0.0", extra="any_version = true")
    assert search(fake(settings))[0].outcome == "answered"


def test_changed_tool_schema_disables_the_engine(fake: Build) -> None:
    """A tool whose schema changed since its first use is not called until it is approved."""
    before = Settings({"search": GOOD}, {"tools": {"search": {"type": "object"}}})
    assert search(fake(before))[0].outcome == "answered"
    changed = {"type": "object", "properties": {"shell": {"type": "string"}}}
    after = Settings({"search": GOOD}, {"tools": {"search": changed}})
    engine = fake(after)
    (answer,) = search(engine)
    assert answer.outcome == "unavailable"
    assert "--approve" in answer.warnings[0]


def test_three_failures_rest_the_engine(fake: Build) -> None:
    """After three failures in a row the engine is not asked for a minute."""
    answers = search(fake(Settings({"search": {"fault": "die"}})), *"abcd")
    assert [answer.outcome for answer in answers] == ["failed"] * 3 + ["unavailable"]
    assert "rests" in answers[3].warnings[0]


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ({"text": '{"rows": ['}, "failed"),
        ({"text": "", "structured": {"rows": "none"}}, "answered"),
        ({"text": "not indexed"}, "not_indexed"),
        ({"text": "kaput", "is_error": True}, "failed"),
        ({"rpc_error": "kaput"}, "failed"),
    ],
)
def test_odd_content(fake: Build, reply: dict, outcome: str) -> None:
    """Content that is cut, of another shape, or an error is a state, never an exception."""
    assert search(fake(Settings({"search": reply})))[0].outcome == outcome


def http_settings(state: StateDirectory, url: str) -> MappedIndex:
    state.prepare()
    (state.home / "fake.toml").write_text(MAPPING)
    state.engine_settings.write_text(
        f'[code_index.engines."fake/engine"]\nurl = "{url}"\nmapping = "fake.toml"\n'
        "deadlines = { search = 5.0 }\n"
    )
    engine = engines_of(state).registry.resolve("fake/engine")
    assert isinstance(engine, MappedIndex)
    return engine


def mcp_answer(result: dict) -> Answer:
    """Serve one MCP server over streamable HTTP, with plain JSON replies."""

    def answer(method: str, path: str, body: dict):
        if method != "POST" or "id" not in body:
            return (202, {}, b"") if method == "POST" else (405, {}, b"")
        info = {"name": "fake", "version": "1"}
        version = body.get("params", {}).get("protocolVersion", "2025-06-18")
        results = {
            "initialize": {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": info,
            },
            "tools/list": {"tools": []},
        }
        known = results.get(body["method"], result)
        return json_reply({"jsonrpc": "2.0", "id": body["id"], "result": known})

    return answer


def test_http_server_answers(state: StateDirectory, shop: Project) -> None:
    """The same mapping is asked over streamable HTTP."""
    result = {"content": [{"type": "text", "text": ""}], "structuredContent": ROWS}
    with serving(mcp_answer(result)) as served:
        (answer,) = search(Fake(http_settings(state, f"{served.url}/mcp"), Path()))
    assert [hit.ref.name for hit in answer.items] == ["f"]


def test_redirect_to_another_host_is_refused(state: StateDirectory, shop: Project) -> None:
    """A server that sends us to another host is not followed there."""
    with serving(mcp_answer({})) as other:
        target = {"Location": f"{other.url.replace('127.0.0.1', 'localhost')}/mcp"}
        with serving(lambda method, path, body: (307, target, b"")) as served:
            (answer,) = search(Fake(http_settings(state, f"{served.url}/mcp"), Path()))
        assert answer.outcome == "failed"
        assert other.asked == []


def test_http_reply_of_50_mb_is_refused(state: StateDirectory, shop: Project) -> None:
    """A reply over the limit ends the call."""
    result = {"content": [{"type": "text", "text": "x" * 50_000_000}]}
    with serving(mcp_answer(result)) as served:
        (answer,) = search(Fake(http_settings(state, f"{served.url}/mcp"), Path()))
    assert (answer.outcome, answer.nothing_there) == ("failed", False)


def test_nobody_listens(state: StateDirectory, shop: Project) -> None:
    """An address without a server is a failure with a remedy."""
    (answer,) = search(Fake(http_settings(state, "http://127.0.0.1:9/mcp"), Path()))
    assert answer.outcome == "failed"
    assert "probe" in answer.warnings[0]


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON", "text/event-stream"])
@pytest.mark.parametrize("packed", [True, False])
def test_no_reply_grows_over_the_limit(
    state: StateDirectory, shop: Project, kind: str, packed: bool
) -> None:
    """However a reply is typed or packed, 50 MB of it are refused."""
    usual = mcp_answer({"content": [{"type": "text", "text": "x" * 50_000_000}]})

    def answer(method: str, path: str, body: dict):
        status, headers, content = usual(method, path, body)
        if len(content) < 1_000_000:
            return status, headers, content
        if kind.startswith("text"):
            content = b"data: " + content + b"\n\n"
        encoding = {"Content-Encoding": "gzip"} if packed else {}
        return (
            status,
            {"Content-Type": kind, **encoding},
            gzip.compress(content, 1) if packed else content,
        )

    with serving(answer) as served:
        (found,) = search(Fake(http_settings(state, f"{served.url}/mcp"), Path()))
    assert (found.outcome, found.nothing_there) == ("failed", False)
    assert {headers["accept-encoding"] for _, _, headers, _ in served.asked} == {"identity"}


def test_questions_at_once_share_one_server(fake: Build) -> None:
    """The first question starts the server; whoever comes meanwhile waits for it."""
    engine = fake(Settings({"search": GOOD}, {"start_seconds": 0.5}))

    async def ask() -> list[str]:
        found = await asyncio.gather(
            *(engine.engine.search(CodeQuery("f", "shop")) for _ in range(3))
        )
        await engine.engine.close()
        return [one.outcome for one in found]

    assert asyncio.run(ask()) == ["answered"] * 3
    assert len({call["pid"] for call in engine.asked}) == 1


def test_a_tool_that_was_not_there_is_not_called(fake: Build) -> None:
    """A tool that was not listed at first use, and is now, waits for approval."""
    assert search(fake(Settings({"search": GOOD}, {"tools": {}})))[0].outcome == "answered"
    engine = fake(Settings({"search": GOOD}, {"tools": {"search": {"type": "object"}}}))
    (answer,) = search(engine)
    assert answer.outcome == "unavailable"
    assert "never approved" in answer.warnings[0]
    assert len(engine.asked) == 1


def test_a_damaged_list_of_approved_tools_refuses(fake: Build, state: StateDirectory) -> None:
    """What was approved is lost, so nothing is."""
    engine = fake(Settings({"search": GOOD}))
    search(engine)
    next(state.engines.rglob("tools.json")).write_text("{")
    engine = fake(Settings({"search": GOOD}))
    assert "cannot be read" in search(engine)[0].warnings[0]


def test_a_restarted_server_is_looked_at_again(fake: Build, tmp_path: Path) -> None:
    """A server that comes back with other tools is not asked."""
    before = Settings({"search": {"fault": "die"}}, {"tools": {"search": {"type": "object"}}})
    engine = fake(before)

    async def ask() -> list[str]:
        first = await engine.engine.search(CodeQuery("f", "shop"))
        replies = json.loads((tmp_path / "replies.json").read_text())
        replies["tools"]["search"] = {"type": "object", "properties": {"shell": {}}}
        (tmp_path / "replies.json").write_text(json.dumps(replies))
        second = await engine.engine.search(CodeQuery("f", "shop"))
        await engine.engine.close()
        return [first.outcome, second.outcome]

    assert asyncio.run(ask()) == ["failed", "unavailable"]


def test_a_program_that_vanished_is_named(fake: Build, tmp_path: Path) -> None:
    """A program that was uninstalled meanwhile is unavailable, with what to do."""
    engine = fake(Settings({"search": GOOD}))
    (tmp_path / "fake").unlink()
    (answer,) = search(engine)
    assert answer.outcome == "unavailable"
    assert "engines.toml" in answer.warnings[0]


def test_a_shorter_deadline_of_the_asker_wins(fake: Build) -> None:
    """A query in more of a hurry than the settings is answered in its own time."""
    engine = fake(Settings({"search": {"fault": "never"}}, seconds=600.0))

    async def ask() -> CodeAnswer[CodeHit]:
        try:
            return await engine.engine.search(CodeQuery("f", "shop", deadline_s=0.5))
        finally:
            await engine.engine.close()

    assert "0.5 s" in asyncio.run(ask()).warnings[0]


def test_tools_of_every_page_are_compared(fake: Build) -> None:
    """A tool that changed is noticed on whichever page it is listed."""
    schemas = ({"type": "object"}, {"type": "object", "properties": {"shell": {}}})
    outcomes = [
        search(fake(Settings({"search": GOOD}, {"later_tools": {"search": schema}})))[0].outcome
        for schema in schemas
    ]
    assert outcomes == ["answered", "unavailable"]
