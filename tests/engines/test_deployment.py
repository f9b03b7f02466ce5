"""The engines put together: one that is wrong takes no other one along."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from codequarry.cli.doctor import doctor
from codequarry.cli.engines import engines
from codequarry.core.state import StateDirectory
from codequarry.engines.deployment import engines_of
from codequarry.engines.own import NAME
from tests.engines.conftest import MAPPING, Fake, Settings

Configure = Callable[[str, str], None]


@pytest.fixture
def configure(fake: Callable[[Settings], Fake], state: StateDirectory) -> Configure:
    """Add one more engine, by id and mapping file, to a deployment with a sound one."""

    def configured(engine: str, mapping: str) -> None:
        fake(Settings())
        (state.home / "more.toml").write_text(mapping)
        with state.engine_settings.open("a") as handle:
            handle.write(f'\n[code_index.engines."{engine}"]\nmapping = "more.toml"\n')

    return configured


@pytest.mark.parametrize(
    ("engine", "mapping", "why"),
    [
        ("x/mine", "id = 3", "$.id"),
        ("x/mine", "[", "more.toml"),
        ("x/mine", MAPPING.replace("fake/engine", "harshkedia177/axon"), "harshkedia177/axon"),
        ("x/mine", MAPPING.replace("fake/engine", NAME), NAME),
        ("harshkedia177/axon", MAPPING, "fake/engine"),
    ],
)
def test_a_wrong_mapping_stops_its_own_engine_only(
    configure: Configure, state: StateDirectory, engine: str, mapping: str, why: str
) -> None:
    """The engine is listed as unavailable, with the key or the id that is wrong."""
    configure(engine, mapping)
    registry = engines_of(state).registry
    assert why in (registry.unavailable_hint(engine) or "")
    assert {NAME, "fake/engine"} <= set(registry.ids())
    assert {"colbymchenry/codegraph"} <= {*registry.ids(), *registry.ids(False)}


def test_an_engine_without_a_licence_is_not_ours(
    configure: Configure, state: StateDirectory
) -> None:
    """Only our own index is listed as ours."""
    configure("x/mine", "id = 3")
    lines = CliRunner().invoke(engines, ["list"]).stdout.split("\n")
    assert [line.split()[0] for line in lines if line.endswith("  ours")] == [NAME]


def test_our_own_index_takes_no_mapping(configure: Configure, state: StateDirectory) -> None:
    """A mapping for our own id changes nothing."""
    configure(NAME, MAPPING)
    assert NAME in engines_of(state).registry.ids()


def looked(capability: str) -> str:
    ran = CliRunner().invoke(doctor, [])
    return next(line for line in ran.stdout.split("\n") if f" {capability} " in f"{line} ")


def test_the_doctor_looks_at_engines(
    configure: Configure, fake: Callable[[Settings], Fake], state: StateDirectory, tmp_path: Path
) -> None:
    """None, sound ones, a wrong mapping and a wrong file are told apart."""
    state.prepare()
    assert "none is configured" in looked("engines")
    fake(Settings())
    assert looked("engines").startswith("ok")
    configure("x/mine", "id = 3")
    broken = looked("engines")
    assert broken.startswith("bad")
    assert "x/mine" in broken
    assert "fake/engine:" not in broken
    state.engine_settings.write_text("[code_index")
    assert "engines.toml is no TOML" in looked("engines")
