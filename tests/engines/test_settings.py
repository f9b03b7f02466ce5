"""The configuration of engines."""

from datetime import date
from pathlib import Path

import pytest

from codequarry.core.errors import UsageError
from codequarry.engines.licence import Grant
from codequarry.engines.settings import CodeIndexSettings, load

GOOD = """
[code_index]
deployment = "commercial"
[code_index.engines."harshkedia177/axon"]
command = "/opt/axon"
weight = 0.25
sync = "hourly"
deadlines = { search = 4.0 }
[[code_index.grants]]
engine = "abhigyanpatwari/gitnexus"
spdx = "PolyForm-Noncommercial-1.0.0"
granted_by = "legal"
reference = "LIC-17"
expires = 2027-12-31
"""


def read(folder: Path, text: str) -> CodeIndexSettings:
    path = folder / "engines.toml"
    path.write_text(text)
    return load(path)


def test_settings_are_read(tmp_path: Path) -> None:
    """Every key arrives, and an engine that is not named has the defaults: weight 0, manual."""
    settings = read(tmp_path, GOOD)
    axon = settings.of("harshkedia177/axon")
    assert (axon.command, axon.weight, axon.cron) == ("/opt/axon", 0.25, "0 * * * *")
    assert axon.deadlines == {"search": 4.0}
    assert settings.grants == (
        Grant(
            "abhigyanpatwari/gitnexus",
            "PolyForm-Noncommercial-1.0.0",
            "legal",
            "LIC-17",
            date(2027, 12, 31),
        ),
    )
    other = settings.of("a/b")
    assert (other.weight, other.cron, other.network) == (0.0, None, False)


def test_no_file_sets_nothing(tmp_path: Path) -> None:
    """A deployment without the file has the defaults."""
    assert load(tmp_path / "engines.toml") == CodeIndexSettings()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[code_index", "no TOML"),
        ("[other]", "other is unknown"),
        ("[code_index]\ndeployed = 1", "code_index.deployed is unknown"),
        ('[code_index]\ndeployment = "maybe"', "code_index.deployment"),
        ("[code_index]\nengines = 3", "code_index.engines is no table"),
        ("[code_index.engines.axon]", 'engines."axon" is not publisher/name'),
        ('[code_index.engines."a/b"]\nweight = "big"', 'code_index.engines."a/b".weight'),
        ('[code_index.engines."a/b"]\nweight = 1.5', 'code_index.engines."a/b".weight is 1.5'),
        ('[code_index.engines."a/b"]\nweight = nan', 'code_index.engines."a/b".weight'),
        ('[code_index.engines."a/b"]\nwieght = 1.0', "wieght"),
        ('[code_index.engines."a/b"]\nurl = "ftp://x"', 'code_index.engines."a/b".url'),
        ('[code_index.engines."a/b"]\nurl = "http://u:p@x"', "token_variable"),
        ('[code_index.engines."a/b"]\nsync = "often"', 'code_index.engines."a/b".sync'),
        ('[code_index.engines."a/b"]\ndeadlines = { nap = 1 }', ".deadlines.nap"),
        ('[code_index.engines."a/b"]\ndeadlines = { search = -1 }', ".deadlines.search"),
        ('[code_index.engines."a/b"]\nmemory = -1', ".memory"),
        ('[[code_index.grants]]\nengine = "a/b"', "code_index.grants[0]"),
        (
            '[[code_index.grants]]\nengine = "a/b"\nspdx = "MIT"\n'
            'granted_by = " "\nreference = "x"',
            "code_index.grants[0].granted_by is empty",
        ),
    ],
)
def test_wrong_key_is_named(tmp_path: Path, text: str, key: str) -> None:
    """Each error names the key that is wrong."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert key in caught.value.message


def test_password_in_a_url_is_not_repeated(tmp_path: Path) -> None:
    """A secret written into an address does not reach the message."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, '[code_index.engines."a/b"]\nurl = "http://me:hunter2@x"')
    assert "hunter2" not in str(caught.value)
