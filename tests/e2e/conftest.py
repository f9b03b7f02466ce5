"""The shop, indexed once by the installed program and then only read."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.state import HOME_VARIABLE, StateDirectory
from tests.cli.commands import Ran, installed
from tests.e2e import planting


@dataclass(frozen=True)
class Shop:
    """The indexed shop.

    Args:
        root: Its working tree.
        state: The deployment that holds its index.
        ran: What `codequarry index --format json` left.
        document: What it printed, decoded.
    """

    root: Path
    state: StateDirectory
    ran: Ran
    document: dict[str, Any]

    @property
    def receipt(self) -> dict[str, Any]:
        receipt: dict[str, Any] = self.document["receipt"]
        return receipt


@pytest.fixture(scope="session")
def indexed_shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder = tmp_path_factory.mktemp("shop")
    root, home = planting.shop(folder), folder / "home"
    ran = installed(home, "index", root, "--format", "json")
    assert ran.code == 0, ran.err
    return Shop(root, StateDirectory(home), ran, json.loads(ran.out))


@pytest.fixture
def shop(indexed_shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The indexed shop; commands of the test act on its deployment."""
    monkeypatch.setenv(HOME_VARIABLE, str(indexed_shop.state.home))
    return indexed_shop
