"""Syncs: a copy of the eligible files, a bounded process, and nothing believed but the result."""

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codequarry.core.errors import EngineUnavailable
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines import mirror
from codequarry.engines.bench import Bench, Needs, bench_for
from codequarry.engines.deployment import engines_of
from codequarry.engines.last_status import UNSEEN, keep, last_status
from codequarry.engines.sync import sync_engine
from codequarry.engines.sync_steps import redacted
from codequarry.engines.types import CodeIndexStatus
from tests.engines.conftest import Fake, Settings

Build = Callable[[Settings], Fake]
STATUS = {"status": {"text": '{"files": 3}'}}


def bench(state: StateDirectory, project: Project) -> Bench:
    return bench_for(state, Needs("fake/engine"), project)


def test_copy_holds_the_eligible_files_only(state: StateDirectory, shop: Project) -> None:
    """Ignored files and their secrets never reach an engine, and the project is not written to."""
    (shop.root / ".gitignore").write_text(".env\n")
    (shop.root / ".env").write_text("TOKEN=hunter2\n")
    before = {path: path.stat().st_mtime_ns for path in shop.root.rglob("*")}
    place = bench(state, shop)
    mirror.refresh(state, place)
    copied = {str(path.relative_to(place.tree)) for path in place.tree.rglob("*") if path.is_file()}
    assert "shop/cart.py" in copied
    assert ".env" not in copied
    assert (place.tree / "shop/cart.py").read_bytes() == (shop.root / "shop/cart.py").read_bytes()
    assert {path: path.stat().st_mtime_ns for path in shop.root.rglob("*")} == before


def test_copy_follows_the_tree(state: StateDirectory, shop: Project) -> None:
    """A refresh writes what changed, deletes what is gone, and leaves the rest alone."""
    place = bench(state, shop)
    first = mirror.refresh(state, place)
    untouched = (place.tree / "shop/pricing.py").stat().st_mtime_ns
    (shop.root / "shop/cart.py").write_text("changed = 1\n")
    (shop.root / "db/schema.sql").unlink()
    (shop.root / "new.py").write_text("new = 1\n")
    drift = mirror.pending(state, place)
    assert drift is not None
    assert (drift.new, drift.modified, drift.deleted) == (
        ("new.py",),
        ("shop/cart.py",),
        ("db/schema.sql",),
    )
    second = mirror.refresh(state, place)
    assert (sorted(second.written), second.deleted) == (
        ["new.py", "shop/cart.py"],
        ("db/schema.sql",),
    )
    assert second.digest != first.digest
    assert (place.tree / "shop/pricing.py").stat().st_mtime_ns == untouched
    assert not (place.tree / "db").exists()
    assert not mirror.pending(state, place)


def test_file_becomes_a_folder_and_back(state: StateDirectory, shop: Project) -> None:
    """A path that changes its kind is followed both ways."""
    place = bench(state, shop)
    thing = shop.root / "thing.py"
    thing.write_text("a = 1\n")
    mirror.refresh(state, place)
    thing.unlink()
    thing.mkdir()
    (thing / "inner.py").write_text("b = 2\n")
    mirror.refresh(state, place)
    assert (place.tree / "thing.py/inner.py").exists()
    (thing / "inner.py").unlink()
    thing.rmdir()
    thing.write_text("c = 3\n")
    mirror.refresh(state, place)
    assert (place.tree / "thing.py").read_text() == "c = 3\n"


def test_two_projects_share_nothing(state: StateDirectory, shop: Project, tmp_path: Path) -> None:
    """Copies and HOMEs are apart for each project and each engine."""
    (tmp_path / "other").mkdir()
    other = Registry(state).add(tmp_path / "other", "other")
    benches = [bench_for(state, Needs(e), p) for e in ("a/b", "a/c") for p in (shop, other)]
    assert len({place.home for place in benches}) == len({place.tree for place in benches}) == 4


def test_sync_is_fresh_until_the_tree_moves(
    fake: Build, state: StateDirectory, shop: Project
) -> None:
    """After a sync the index is fresh by content; one edit makes it stale, and says how many."""
    fake(Settings(STATUS))
    report = sync_engine(state, "fake/engine", shop)
    assert (report.ok, report.reason, report.returncode) == (True, "", 0)
    assert (report.before.state, report.after.state) == ("stale", "fresh")
    assert report.licence is not None
    assert last_status(state, "fake/engine", shop) == report.after
    (shop.root / "shop/cart.py").write_text("changed = 1\n")
    engine = engines_of(state).registry.resolve("fake/engine")

    async def ask() -> CodeIndexStatus:
        found = await engine.status("shop")  # type: ignore[union-attr]
        await engine.close()  # type: ignore[union-attr]
        return found

    status = asyncio.run(ask())
    assert (status.state, status.trust) == ("stale", "lower_bound")
    assert status.pending == {"added": 0, "modified": 1, "deleted": 0}


def test_exit_code_0_is_no_success(fake: Build, state: StateDirectory, shop: Project) -> None:
    """A process that exits with 0 and does not say that it indexed did not sync."""
    fake(Settings(STATUS))
    path = state.home / "fake.toml"
    path.write_text(path.read_text().replace("success = 'fake'", "success = 'Indexed'"))
    report = sync_engine(state, "fake/engine", shop)
    assert (report.ok, report.returncode) == (False, 0)
    assert "did not say that it indexed" in report.reason
    assert report.after.state == "stale"


def test_sync_over_its_time_is_killed(fake: Build, state: StateDirectory, shop: Project) -> None:
    """A sync that takes too long is ended and reported; nothing raises."""
    fake(Settings(STATUS, {"handshake_fault": ""}))
    path = state.home / "fake.toml"
    text = path.read_text().replace('argv = ["--version"]\nsuccess', 'argv = ["hang"]\nsuccess')
    path.write_text(text + "seconds = 1\n")
    script = Path(engines_program(state))
    script.write_text(script.read_text().replace("exec", '[ "$1" = hang ] && sleep 600\nexec'))
    report = sync_engine(state, "fake/engine", shop)
    assert not report.ok
    assert "did not finish within 1 seconds" in report.reason


def engines_program(state: StateDirectory) -> str:
    line = next(x for x in state.engine_settings.read_text().split("\n") if "command" in x)
    return line.split('"')[1]


def test_refused_engine_is_not_synced(state: StateDirectory, shop: Project) -> None:
    """The licence gate stands before a sync too, and names its rule."""
    with pytest.raises(EngineUnavailable, match="noncommercial"):
        sync_engine(state, "abhigyanpatwari/gitnexus", shop)


def test_last_status_survives_damage(state: StateDirectory, shop: Project) -> None:
    """Without a kept status, or with a damaged one, the state is unknown."""
    assert last_status(state, "a/b", shop) == UNSEEN
    keep(state, "a/b", shop, CodeIndexStatus("fresh", "usable", pending={"added": 0}))
    assert last_status(state, "a/b", shop).state == "fresh"
    path = next(state.engines.rglob("status.json"))
    path.write_text("{")
    assert last_status(state, "a/b", shop) == UNSEEN


def test_secrets_are_blanked() -> None:
    """What an engine wrote to stderr keeps its words and loses secrets and addresses."""
    text = redacted("failed: token=abc123 at https://u:p@host/x\nAuthorization: Bearer xyz\ndone")
    assert text == "failed: token=[blanked] at [blanked]\nAuthorization: [blanked]\ndone"
    assert len(redacted("x" * 10_000)) == 2000


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer hunter2",
        "authorization=Basic hunter2",
        'Authorization: Digest username="u", response="hunter2"',
        '"password": "two hunter2"',
        "'api_key' : 'it\\'s hunter2'",
        "SECRET_TOKEN=hunter2",
        "sent Bearer hunter2",
        "used sk-hunter2hunter2",
        "https://u:hunter2@host/",
    ],
)
def test_no_form_of_a_secret_is_kept(line: str) -> None:
    """A value is blanked whole: behind its scheme, with its blanks, with its escaped quotes."""
    assert "hunter2" not in redacted(f"before {line}\nafter")
    assert redacted(f"{line}\nafter").endswith("\nafter")


def test_no_server_runs_beside_a_sync(fake: Build, state: StateDirectory, shop: Project) -> None:
    """The server that told the status before is gone when the command writes the store."""
    fake(Settings(STATUS))
    script, home = Path(engines_program(state)), state.home
    script.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = serve ] && echo $$ > {home}/pid\n'
        f'[ "$1" = sync ] && cp "/proc/$(cat {home}/pid)/stat" {home}/stat\n'
        '[ "$1" = sync ] && echo fake && exit 0\n' + script.read_text().partition("\n")[2]
    )
    path = home / "fake.toml"
    path.write_text(path.read_text().replace('argv = ["--version"]', 'argv = ["sync"]'))
    report = sync_engine(state, "fake/engine", shop)
    assert report.ok, report.reason
    assert (home / "pid").exists()
    # Dead, and perhaps not yet reaped.
    told = (home / "stat").read_text() if (home / "stat").exists() else ") Z"
    assert told.rpartition(")")[2].split()[0] == "Z"


def test_a_meddled_file_is_written_again(state: StateDirectory, shop: Project) -> None:
    """A copy is compared with what lies there, not with what was once written."""
    place = bench(state, shop)
    copy = mirror.refresh(state, place)
    mirror.mark_indexed(place, copy, "")
    assert mirror.indexed(place)[1]
    meddled = place.tree / "shop/cart.py"
    was = meddled.stat()
    meddled.write_bytes(b"x" * was.st_size)
    os.utime(meddled, ns=(was.st_atime_ns, was.st_mtime_ns))
    (place.tree / "db/schema.sql").unlink()
    assert not mirror.indexed(place)[1]
    drift = mirror.pending(state, place)
    assert drift is not None
    assert drift.new == ("db/schema.sql", "shop/cart.py")
    mirror.refresh(state, place)
    assert meddled.read_bytes() == (shop.root / "shop/cart.py").read_bytes()
    assert mirror.indexed(place)[1]


@pytest.mark.parametrize("gone", [False, True])
def test_a_planted_link_is_not_followed(
    state: StateDirectory, shop: Project, tmp_path: Path, gone: bool
) -> None:
    """A folder that became a link to elsewhere is replaced; nothing is written or deleted there."""
    place = bench(state, shop)
    mirror.refresh(state, place)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "cart.py").write_text("mine\n")
    shutil.rmtree(place.tree / "shop")
    (place.tree / "shop").symlink_to(outside)
    (place.tree / "db/schema.sql").unlink()
    (place.tree / "db/schema.sql").mkdir()
    if gone:
        (shop.root / "shop/cart.py").unlink()
    mirror.refresh(state, place)
    assert {path.name for path in outside.iterdir()} == {"cart.py"}
    assert (outside / "cart.py").read_text() == "mine\n"
    assert not (place.tree / "shop").is_symlink()
    assert (place.tree / "shop/pricing.py").read_bytes()
    assert (place.tree / "shop/cart.py").exists() is not gone
    assert (place.tree / "db/schema.sql").is_file()
    assert not mirror.pending(state, place)
