"""The engines' registry and circuit breaker (engines.md 3)."""

from pathlib import Path

import pytest

from codequarry.core.errors import UsageError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.bench import Workspaces
from codequarry.engines.breaker import Breaker
from codequarry.engines.own import NAME, OwnIndex
from codequarry.engines.registry import EngineRegistry, Unavailable, locate


@pytest.fixture
def own(state: StateDirectory) -> OwnIndex:
    """Our own index over an empty deployment."""
    return OwnIndex(state, Workspaces(Registry(state)))


def test_registered_twice_is_an_error(own: OwnIndex) -> None:
    """An id can be taken once."""
    registry = EngineRegistry()
    registry.register(own)
    with pytest.raises(UsageError, match="registered twice"):
        registry.register(own)


def test_unavailable_stays_listed(own: OwnIndex) -> None:
    """An engine marked unavailable is still known, with its hint, and resolves to that."""
    registry = EngineRegistry()
    registry.register(own)
    registry.mark_unavailable(NAME, "install it")
    assert registry.resolve(NAME) == Unavailable(NAME, "install it")
    assert registry.unavailable_entries() == (Unavailable(NAME, "install it"),)
    assert registry.unavailable_hint(NAME) == "install it"
    assert registry.ids() == ()


def test_later_register_clears_the_mark(own: OwnIndex) -> None:
    """A successful registration after `mark_unavailable` makes the engine available again."""
    registry = EngineRegistry()
    registry.mark_unavailable(NAME, "install it")
    registry.register(own)
    assert registry.resolve(NAME) is own
    assert registry.unavailable_entries() == ()


def test_unknown_id_names_the_known_ones(own: OwnIndex) -> None:
    """An id never heard of resolves to a hint that lists what there is; no id to nothing."""
    registry = EngineRegistry()
    registry.register(own)
    found = registry.resolve("no/such")
    assert isinstance(found, Unavailable)
    assert NAME in found.hint
    assert registry.resolve(None) is None


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_configured_command_wins_over_path(tmp_path: Path) -> None:
    """The configured program is taken, else the one on PATH."""
    configured, on_path = program(tmp_path / "a", "axon"), program(tmp_path / "b", "axon")
    environment = {"PATH": str(tmp_path / "b")}
    assert locate(str(configured), "axon", environment) == (str(configured), "")
    assert locate("", "axon", environment) == (str(on_path), "")


def test_missing_configured_command_never_falls_through(tmp_path: Path) -> None:
    """A configured path that does not exist is named, though PATH has the program."""
    program(tmp_path / "b", "axon")
    found, hint = locate("/nowhere/axon", "axon", {"PATH": str(tmp_path / "b")})
    assert found is None
    assert "/nowhere/axon" in hint


def test_relative_path_entry_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative entry of PATH would run what the current directory holds; it is skipped."""
    program(tmp_path / "bin", "axon")
    monkeypatch.chdir(tmp_path)
    found, hint = locate("", "axon", {"PATH": "bin:."})
    assert found is None
    assert "engines.toml" in hint


def test_breaker_rests_longer_each_time() -> None:
    """Three failures open it for 60 s; each failure after a rest doubles that, up to 15 minutes."""
    now = 0.0
    breaker = Breaker(clock=lambda: now)
    rests = []
    for _ in range(2):
        breaker.failed()
        assert not breaker.is_open
    for _ in range(6):
        breaker.failed()
        rests.append(breaker.resting_for)
        now += breaker.resting_for
        assert not breaker.is_open
    assert rests == [60, 120, 240, 480, 900, 900]


def test_breaker_closes_on_success() -> None:
    """One success forgets all failures."""
    breaker = Breaker(clock=lambda: 0.0)
    for _ in range(3):
        breaker.failed()
    breaker.succeeded()
    assert not breaker.is_open
    breaker.failed()
    assert not breaker.is_open


def test_breaker_outlives_its_process(tmp_path: Path) -> None:
    """What one process counted, the next one knows; a damaged file forgets it."""
    kept = tmp_path / "breaker.json"
    for _ in range(3):
        Breaker(kept, lambda: 1000.0).failed()
    assert Breaker(kept, lambda: 1010.0).resting_for == 50
    assert Breaker(kept, lambda: 0.0).resting_for == 60
    Breaker(kept, lambda: 1061.0).succeeded()
    assert not Breaker(kept, lambda: 1010.0).is_open
    kept.write_text("{")
    assert not Breaker(kept, lambda: 1010.0).is_open
