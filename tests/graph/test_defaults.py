"""What a module of ECMAScript exports as its default."""

from pathlib import Path

import pytest

from codequarry.graph.defaults import Defaults, default_export
from codequarry.graph.imports import DEFAULT
from codequarry.sources.walk import inventory
from tests.graph.projects import calls, graph_of, lay_out

EXPORTS = {
    "export default function applyTax(x) {": "applyTax",
    "export default async function* k() {": "k",
    "export default class Engine extends Motor {": "Engine",
    "export default abstract class Z {": "Z",
    "const a = 1;\nexport default a;\r\n": "a",
    "export { x, f as default };": "f",
    "module.exports = f": "f",
    "exports = module.exports = f;": "f",
    "module.exports = class Q extends P {}": "Q",
    "export = f;": "f",
    "export default class extends Motor {": DEFAULT,
    "export default function () {": DEFAULT,
    "export default async (x) => 1": DEFAULT,
    "export default connect(App);": DEFAULT,
    "module.exports = { a, b };": "",
    "// export default f;": "",
    "export const f = 1;": "",
}


@pytest.mark.parametrize("text", EXPORTS)
def test_default_export(text: str) -> None:
    """The name behind a default export is told by its line; an expression has none."""
    assert default_export(text.encode()) == EXPORTS[text]


def test_long_lines_are_no_trouble() -> None:
    """A file that never closes what it opens is read in time that grows with its size."""
    for text in ("export { " + "a" * 300_000, "export default " + " " * 300_000):
        assert default_export(text.encode()) in ("", DEFAULT)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is gone, or was never there, exports nothing."""
    lay_out(tmp_path, {"a.js": "export default f;\n", "b.js": "export default g;\n"})
    defaults = Defaults(tmp_path.resolve(), inventory(tmp_path).files)
    (tmp_path / "b.js").unlink()
    assert [defaults.of(path) for path in ("a.js", "b.js", "c.js")] == ["f", "", ""]


def test_functions_without_a_name(tmp_path: Path) -> None:
    """A nameless default is called by whatever name it is imported under."""
    files = {
        "a.js": "export default function () {\n}\n",
        "m.js": "import go from './a';\nfunction u() {\n  go();\n}\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("u", DEFAULT)}


def test_what_is_exported_at_last_counts_in_its_own_file_alone(tmp_path: Path) -> None:
    """A default that a module only passes on is not looked for by that name elsewhere."""
    files = {
        "a.js": "export function far() {\n}\n",
        "b.js": "import { far } from './a';\nexport default far;\n",
        "m.js": "import go from './b';\nfunction u() {\n  go();\n}\n",
    }
    assert calls(graph_of(tmp_path, files)) == set()
