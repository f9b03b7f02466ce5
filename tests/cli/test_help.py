"""What a newcomer reads, and what reading it costs."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import environment, here

EXPECTED = {
    (): ["codequarry index PATH", 'codequarry search "question"', "CODEQUARRY_HOME", "doctor"],
    ("index",): ["PATH", "--name", "--full", "--structural-chunks", "--format", "success"],
    ("search",): ["QUERY", "--project", "--language", "--path", "--kind", "--format", "stdout"],
    ("serve", "mcp"): ["--transport", "--port", "stdin"],
    ("status",): ["--project", "--format", "working tree"],
    ("projects",): ["list", "add", "remove"],
    ("projects", "add"): ["PATH", "--name", "without indexing"],
    ("projects", "remove"): ["NAME", "its files stay"],
    ("producer",): ["export-symbols", "structural-manifest", "codemap", "--directory"],
    ("producer", "export-symbols"): ["--json", "--offset", "--files-from"],
    ("producer", "structural-manifest"): ["fingerprint"],
    ("doctor",): ["exits 1", "--format"],
    ("ledger",): ["--project", "verify", "Exits 1"],
    ("impact",): ["SYMBOL", "--depth", "--as-of", "--format"],
    ("callers",): ["SYMBOL", "--depth", "told apart"],
    ("callees",): ["SYMBOL", "--depth"],
    ("neighbors",): ["SYMBOL", "--kind", "--direction"],
    ("hotspots",): ["--tests", "--limit"],
    ("related",): ["FILE", "--limit"],
    ("similar",): ["TARGET", "--text", "--min-score"],
    ("investigate",): ["SYMBOL", "QUERY", "--structural-weight", "--annotate"],
    ("overview",): ["--depth", "--limit", "at a glance"],
    ("engines",): ["list", "probe", "status", "sync"],
    ("batch",): ["QUERY", "--no-deduplicate", "stdin"],
    ("explore",): ["QUERY", "--max-packets", "--source"],
    ("memory",): ["remember", "recall", "forget", "stats"],
    ("dev",): ["Dagster UI", "--port"],
}


@pytest.mark.parametrize("command", EXPECTED, ids=" ".join)
def test_help_names_what_one_needs(
    capfd: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """Each command's help names its arguments and says what it does."""
    for flag in ("--help", "-h"):
        ran = here(capfd, *command, flag)
        assert (ran.code, ran.err) == (0, "")
        assert "\\b" not in ran.out  # click's mark for lines that stay apart
        for word in EXPECTED[command]:
            assert word in ran.out


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    """The version is one line."""
    ran = here(capfd, "--version")
    assert ran.out.startswith("codequarry, version ")


LIGHT = """
import sys
from codequarry.cli.main import run
code = run(sys.argv[2:])
loaded = sorted({name.partition(".")[0] for name in sys.modules} & set(sys.argv[1].split(",")))
print("\\nloaded:", *loaded)
sys.exit(code)
"""
HEAVY = "dagster,lancedb,pandera,sqlalchemy,httpx"


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["--help"], set()),
        (["search", "--help"], set()),
        (["index", "--help"], set()),
        (["projects", "list"], set()),
        (["status", "--project", "demo"], set()),
        (["search", "--project", "demo", "--format", "json", "alpha"], {"lancedb"}),
    ],
    ids=lambda value: " ".join(sorted(value)) if value else "none",
)
def test_commands_stay_light(demo: Path, arguments: list[str], allowed: set[str]) -> None:
    """Help, status and search never load Dagster; status loads not even LanceDB."""
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, HEAVY, *arguments],
        env=environment(demo.parent / "home"),
        capture_output=True,
        check=True,
    )
    loaded = done.stdout.decode().rpartition("loaded:")[2].split()
    assert set(loaded) <= allowed
