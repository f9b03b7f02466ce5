"""A small project whose symbols are used under other names, indexed once and then only read."""

from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.structure.view import GraphView
from tests.e2e.planting import write

FILES = {
    "util/tax.js": b"export default function applyTax(x) {\n  return x;\n}\n",
    "util/fee.js": b"function addFee(x) {\n  return x;\n}\n\nexport default addFee;\n",
    "util/off.js": b"export default function takeOff(x) {\n  return x;\n}\n",
    "util/engine.ts": b"export default class Engine {\n  run() {\n    return 1;\n  }\n}\n",
    "util/index.js": b"export { default as discount } from './off.js';\n",
    "cart.js": (
        b"import tax from './util/tax.js';\nimport { default as fee } from './util/fee.js';\n\n"
        b"export function total(x) {\n  return tax(x) + fee(x);\n}\n"
    ),
    "list.js": (
        b"import fee from './util/fee.js';\n\nexport function all(xs) {\n  return xs.map(fee);\n}\n"
    ),
    "shop.js": (
        b"import { discount } from './util/index.js';\n\n"
        b"export function sell(x) {\n  return discount(x);\n}\n"
    ),
    "drive.ts": (
        b"import Motor from './util/engine';\n\n"
        b"export function drive() {\n  return new Motor();\n}\n"
    ),
    "pkg/core.py": b"def run_it():\n    return 1\n\n\ndef stop_it():\n    return 2\n",
    "pkg/__init__.py": b"from .core import run_it as execute\n",
    "app.py": (
        b"from pkg import execute\nfrom pkg.core import stop_it as halt\n\n\n"
        b"def main():\n    execute()\n    halt()\n"
    ),
    "Sum.java": (
        b"class Sum {\n    int add(int a) {\n        return a;\n    }\n\n"
        b"    int add(int a, int b) {\n        return a + b;\n    }\n\n"
        b"    int use() {\n        return add(1, 2);\n    }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def renaming(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """The graph of the project."""
    from codequarry.pipelines.launch import Options, index_project

    folder: Path = tmp_path_factory.mktemp("renaming")
    state = StateDirectory(folder / "home")
    project = Registry(state).add(write(folder / "renaming", FILES))
    index_project(state, project, Options())
    return GraphView(Reader(state), state, ["renaming"])
