"""A small tree in many languages, of whose files there are many versions that know each other."""

import random
from collections.abc import Callable, Mapping
from functools import cache

VERSIONS = 10
_NAMES = ("run", "make", "load", "Item", "Box", "helper")
_TYPES = ("Item", "Box", "Store")
_Writer = Callable[[random.Random], str]


def _python(imports: tuple[str, ...]) -> _Writer:
    def write(chance: random.Random) -> str:
        lines = [*_blank(chance, "#"), *_some(chance, imports)]
        for name in _some(chance, _NAMES):
            lines += [f"def {name}(x: {chance.choice(_TYPES)}):", f"    {_python_call(chance)}", ""]
        for name in _some(chance, _TYPES, 1):
            lines += [f"class {name}({chance.choice(('', 'Base', 'Box', 'a.Item'))}):"]
            for method in chance.sample(_NAMES, 2):
                lines += [f"    def {method}(self, x=None):", f"        {_python_call(chance)}"]
                lines += [f"        self.held = {chance.choice(_TYPES)}()"]
        return "\n".join(lines) + "\n"

    return write


def _python_call(chance: random.Random) -> str:
    plain = ("", "", "self.", "a.", "b.", "pkg.", "x().", "Item.", "pkg.a.")
    receiver = chance.choice((*plain, "x.", "Box().", "super().", "self.held."))
    return f"{receiver}{chance.choice(_NAMES)}()"


def _braces(
    comment: str,
    imports: tuple[str, ...],
    function: str,
    type_: str,
    method: str,
    receivers: tuple[str, ...],
    heads: tuple[str, ...] = ("",),
) -> _Writer:
    def call(chance: random.Random) -> str:
        return f"{chance.choice(receivers)}{chance.choice(_NAMES)}();"

    def write(chance: random.Random) -> str:
        lines = [*_blank(chance, comment), chance.choice(heads), *_some(chance, imports)]
        for name in _some(chance, _NAMES) if function else ():
            lines += [f"{function.format(name)} {{", f"  {call(chance)}", "}"]
        for name in _some(chance, _TYPES, 1) if type_ else ():
            lines += [f"{type_.format(name)} {{"]
            for inner in chance.sample(_NAMES, 2):
                lines += [f"  {method.format(inner)} {{", f"    {call(chance)}", "  }"]
            lines += ["}"]
        return "\n".join(lines) + "\n"

    return write


def _blank(chance: random.Random, comment: str) -> list[str]:
    return [f"{comment} shifted"] * chance.randrange(3)


def _some(chance: random.Random, of: tuple[str, ...], most: int = 3) -> list[str]:
    return chance.sample(of, chance.randint(0, min(most, len(of))))


def _fixed(*texts: str) -> _Writer:
    return lambda chance: chance.choice(texts)


_PYTHON = _python(
    (
        "import a",
        "import pkg.a",
        "from . import a, b",
        "from .a import Item",
        "from a import run, make as load",
        "from pkg import helper",
        "from b import *",
        "from .. import pkg",
        "from pkg.a import Box as b",
        "from .a import Item as Store, run as helper",
        "from .b import (\n    make as load,\n    Box,\n)",
        "from pkg import Store, load",
        "from . import helper as run",
    )
)
_SCRIPT = _braces(
    "//",
    (
        "import { run, Item } from './a';",
        "import * as a from './b.js';",
        "import b from '.';",
        "import load, { run as a } from './a';",
        "import { default as Item } from './b';",
        "const make = require('./a');",
        "import { make } from '../ui';",
        "import { load as helper } from '@/ui/a';",
        "export * from './a';",
        "export { run as helper, Item as Store } from './a';",
        "export { default as make, Box } from './b';",
        "export { default } from './a';",
        "import { helper, make as load, Store } from '../ui';",
        "import b, { Box } from '.';",
    ),
    "export function {}(x: Item)",
    "export class {} extends Box",
    "{}()",
    ("", "", "this.", "a.", "b.", "x().", "new ", "x.", "super.", "new Box()."),
    ("", "export default run;", "export default Item;", "module.exports = make;"),
)
_GO = _braces(
    "//",
    ('import "example.com/m/srv"', 'import a "example.com/m"', 'import "other.org/m/srv"'),
    "func {}(x Item, y srv.Box)",
    "",
    "",
    ("", "srv.", "a.", "m.", "x().", "x.", "y."),
    ("package srv", "package m"),
)
_RUST = _braces(
    "//",
    (
        "mod a;",
        "use crate::a::run;",
        "use super::b::Item;",
        "use self::a::*;",
        "use core_x::make;",
        "use crate::nest::{a, b as helper};",
        "pub use self::a::{run as load, make};",
        "use crate::load;",
        "use crate::nest::{load as run};",
    ),
    "pub fn {}()",
    "impl {}",
    "fn {}(&self, x: Item)",
    ("", "self.", "a::", "b::", "crate::", "Item::", "x."),
)
_JAVA = _braces(
    "//",
    (
        "import org.a.Item;",
        "import org.b.*;",
        "import static org.a.Box.run;",
        "import org.b.helper;",
    ),
    "",
    "class {} extends Box",
    "void {}(Item x)",
    ("", "", "this.", "Item.", "Store.", "x().", "new ", "x.", "super."),
    ("package org.a;", "package org.b;"),
)
_CSHARP = _braces(
    "//",
    ("using A.B;", "using A;", "using X = A.B.Item;", "using Item = Box;"),
    "",
    "class {} : Box",
    "void {}(X x)",
    ("", "this.", "Item.", "X.", "x.", "new ", "base."),
    ("namespace A.B;", "namespace A;", ""),
)
_C = _braces(
    "//",
    ('#include "a.h"', '#include "inc/a.h"', "#include <inc/b.h>"),
    "void {}()",
    "",
    "",
    ("", "", "x->", "Item::"),
)
_PHP = _braces(
    "//",
    ("use App\\Item;", "use App\\Sub\\{Box, Store as X};", "require 'a.php';"),
    "function {}()",
    "class {} extends Box",
    "function {}(Item $x)",
    ("", "$this->", "Item::", "X::", "$x->", "new ", "parent::"),
    ("<?php",),
)

_TREE: Mapping[str, _Writer] = {
    "a.py": _PYTHON,
    "b.py": _PYTHON,
    "pkg.py": _PYTHON,
    "pkg/__init__.py": _PYTHON,
    "pkg/a.py": _PYTHON,
    "pkg/b.py": _PYTHON,
    "src/pkg/a.py": _PYTHON,
    "ui/a.ts": _SCRIPT,
    "ui/b.ts": _SCRIPT,
    "ui/index.ts": _SCRIPT,
    "src/ui/a.tsx": _SCRIPT,
    "go.mod": _fixed("module example.com/m\n", "module other.org/m\n"),
    "main.go": _GO,
    "srv/a.go": _GO,
    "srv/b.go": _GO,
    "core-x/src/lib.rs": _RUST,
    "core-x/src/a.rs": _RUST,
    "core-x/src/nest/mod.rs": _RUST,
    "core-x/src/nest/b.rs": _RUST,
    "org/a/Item.java": _JAVA,
    "org/b/Box.java": _JAVA,
    "org/b/Tools.kt": _JAVA,
    "A.cs": _CSHARP,
    "B.cs": _CSHARP,
    "inc/a.h": _C,
    "inc/a.c": _C,
    "inc/b.h": _C,
    "app/Item.php": _PHP,
    "app/Sub/Box.php": _PHP,
    "app/a.php": _PHP,
    "README.md": _fixed("# One\n", "# One\n\n# Two\n", "text\n\n# One\n"),
    "data.json": _fixed('{"a": 1}\n', '\n{"b": 1}\n'),
}
PATHS = tuple(_TREE)
FAMILIES = [
    tuple(path for path in PATHS if path.endswith(endings))
    for endings in (".py", (".ts", ".tsx"), (".go", ".mod"), ".rs", (".java", ".kt"), ".cs")
] + [tuple(path for path in PATHS if path.endswith(endings)) for endings in ((".h", ".c"), ".php")]


@cache
def version(path: str, number: int) -> str:
    """Give one of the `VERSIONS` contents of a file."""
    return _TREE[path](random.Random(f"{path} {number}"))
