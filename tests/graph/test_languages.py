"""What the graph of a small project in each language holds."""

from pathlib import Path

import pytest

from tests.graph.projects import calls, graph_of, how, imports, seen

PYTHON = {
    "app/__init__.py": "",
    "app/base.py": "class Base:\n    def run(self):\n        return 1\n",
    "app/tools.py": "def make(n):\n    return n\n\ndef unused():\n    return make(2)\n",
    "app/main.py": (
        "import json\n"
        "from . import tools as t\n"
        "from .base import Base\n"
        "from app.tools import make as build\n"
        "\n"
        "class Job(Base):\n"
        "    def start(self):\n"
        "        self.step()\n"
        "        return build(1) + t.unused() + json.make(3)\n"
        "\n"
        "    def step(self):\n"
        "        return Base()\n"
    ),
}
TYPESCRIPT = {
    "src/shape.ts": "export interface Shape {\n  area(): number;\n}\nexport class Thing {\n}\n",
    "src/util/index.ts": "export function sum(a: number) {\n  return a;\n}\n",
    "src/circle.ts": (
        "import { Shape, Thing } from './shape.js';\n"
        "import * as util from './util';\n"
        "import { readFile } from 'fs';\n"
        "export class Circle extends Thing implements Shape {\n"
        "  area() {\n"
        "    readFile();\n"
        "    return util.sum(this.radius());\n"
        "  }\n"
        "  radius() {\n"
        "    return new Thing();\n"
        "  }\n"
        "}\n"
    ),
}
JAVASCRIPT = {
    "lib/a.js": "function first() {\n  return 1;\n}\nmodule.exports = { first };\n",
    "main.js": (
        "const { first } = require('./lib/a');\n"
        "const a = require('./lib/a');\n"
        "function run() {\n  return first();\n}\n"
        "function again() {\n  return a.first();\n}\n"
    ),
}
GO = {
    "go.mod": "module example.com/demo\n\ngo 1.22\n",
    "store/store.go": "package store\n\nfunc Save() {\n\tkeep()\n}\n",
    "store/keep.go": "package store\n\nfunc keep() {\n}\n",
    "main.go": (
        "package main\n\n"
        'import (\n\t"fmt"\n\tst "example.com/demo/store"\n)\n\n'
        "type Base struct {\n}\n\n"
        "type Job struct {\n\tBase\n}\n\n"
        "func main() {\n\tst.Save()\n\tfmt.Println()\n}\n"
    ),
}
RUST = {
    "src/lib.rs": (
        "mod shapes;\npub mod area;\nuse crate::area::measure;\n\nfn go() {\n    measure();\n}\n"
    ),
    "src/area.rs": "pub fn measure() {\n}\n",
    "src/shapes.rs": (
        "use super::area::{self, measure as m};\n\n"
        "pub trait Draw {\n}\n\n"
        "pub struct Dot {\n}\n\n"
        "impl Draw for Dot {\n}\n\n"
        "impl Dot {\n"
        "    fn new() -> Dot {\n        m();\n        area::measure();\n        Dot {}\n    }\n\n"
        "    fn twice(&self) {\n        self.once();\n    }\n\n"
        "    fn once(&self) {\n    }\n"
        "}\n"
    ),
}
JAVA = {
    "src/com/x/Base.java": "package com.x;\n\npublic class Base {\n  void ready() {\n  }\n}\n",
    "src/com/x/Runs.java": "package com.x;\n\npublic interface Runs {\n}\n",
    "src/com/y/Job.java": (
        "package com.y;\n\n"
        "import com.x.Base;\nimport com.x.Runs;\nimport java.util.List;\n\n"
        "public class Job extends Base implements Runs {\n"
        "  void start() {\n    prepare();\n    List.of();\n  }\n\n"
        "  void prepare() {\n    new Base();\n  }\n"
        "}\n"
    ),
}
C = {
    "inc/list.h": "#ifndef LIST_H\n#define LIST_H\nvoid list_push(int v);\n#endif\n",
    "inc/list.c": '#include "list.h"\nvoid list_push(int v)\n{\n}\n',
    "main.c": (
        '#include <stdio.h>\n#include "inc/list.h"\n\n'
        "static void helper(void)\n{\n  list_push(1);\n}\n\n"
        "int main(void)\n{\n  helper();\n  printf(0);\n  return 0;\n}\n"
    ),
}
CPP = {
    "shape.hpp": "class Shape {\npublic:\n  int area() {\n    return 1;\n  }\n};\n",
    "circle.cpp": (
        '#include "shape.hpp"\n'
        "class Circle : public Shape {\n"
        "  int size() {\n    return width();\n  }\n"
        "  int width() {\n    return 2;\n  }\n"
        "};\n"
    ),
}
CSHARP = {
    "Base.cs": "namespace App.Core;\n\npublic class Base\n{\n    public void Ready() { }\n}\n",
    "Job.cs": (
        "using App.Core;\nusing System.Text;\n\nnamespace App.Jobs;\n\n"
        "public class Job : Base, IRuns\n{\n"
        "    void Start()\n    {\n        Prepare();\n    }\n\n"
        "    void Prepare()\n    {\n        var b = new Base();\n    }\n"
        "}\n\npublic interface IRuns\n{\n}\n"
    ),
}
RUBY = {
    "lib/base.rb": "class Base\n  def ready\n  end\nend\n",
    "lib/job.rb": (
        "require_relative 'base'\nrequire 'json'\n\n"
        "class Job < Base\n"
        "  def start(other)\n    prepare\n    other\n  end\n\n"
        "  def prepare\n  end\n\n"
        "  def other\n  end\n"
        "end\n"
    ),
}
PHP = {
    "src/Core/Base.php": "<?php\nnamespace App\\Core;\n\nclass Base\n{\n  function ready() {}\n}\n",
    "src/util.php": "<?php\nfunction helper()\n{\n}\n",
    "src/Job.php": (
        "<?php\nnamespace App;\n\nuse App\\Core\\Base;\n"
        "require_once __DIR__ . '/util.php';\n\n"
        "class Job extends Base\n{\n"
        "    function start()\n    {\n        $this->prepare();\n        helper();\n    }\n\n"
        "    function prepare()\n    {\n    }\n"
        "}\n"
    ),
}
KOTLIN = {
    "src/com/x/Base.kt": "package com.x\n\nopen class Base {\n    fun ready() {\n    }\n}\n",
    "src/com/y/Job.kt": (
        "package com.y\n\nimport com.x.Base\n\n"
        "class Job : Base() {\n    fun start() {\n        prepare()\n    }\n\n"
        "    fun prepare() {\n    }\n}\n"
    ),
}

CASES = {
    "python": (
        PYTHON,
        {("app/main.py", "app/base.py"), ("app/main.py", "app/tools.py")},
        {
            ("tools.unused", "tools.make"),
            ("main.Job.start", "main.Job.step"),
            ("main.Job.start", "tools.make"),
            ("main.Job.start", "tools.unused"),
            ("main.Job.step", "base.Base"),
        },
        {("extends", "main.Job", "base.Base")},
    ),
    "typescript": (
        TYPESCRIPT,
        {("src/circle.ts", "src/shape.ts"), ("src/circle.ts", "src/util/index.ts")},
        {("Circle.area", "sum"), ("Circle.area", "Circle.radius"), ("Circle.radius", "Thing")},
        {("extends", "Circle", "Thing"), ("implements", "Circle", "Shape")},
    ),
    "javascript": (
        JAVASCRIPT,
        {("main.js", "lib/a.js")},
        {("run", "first"), ("again", "first")},
        set(),
    ),
    "go": (
        GO,
        {("main.go", "store/store.go"), ("main.go", "store/keep.go")},
        {("main.main", "store.Save"), ("store.Save", "store.keep")},
        {("extends", "main.Job", "main.Base")},
    ),
    "rust": (
        RUST,
        {
            ("src/lib.rs", "src/shapes.rs"),
            ("src/lib.rs", "src/area.rs"),
            ("src/shapes.rs", "src/area.rs"),
        },
        {("go", "measure"), ("Dot.new", "measure"), ("Dot.twice", "Dot.once")},
        {("implements", "Dot", "Draw")},
    ),
    "java": (
        JAVA,
        {
            ("src/com/y/Job.java", "src/com/x/Base.java"),
            ("src/com/y/Job.java", "src/com/x/Runs.java"),
        },
        {("com.y.Job.start", "com.y.Job.prepare"), ("com.y.Job.prepare", "com.x.Base")},
        {
            ("extends", "com.y.Job", "com.x.Base"),
            ("implements", "com.y.Job", "com.x.Runs"),
        },
    ),
    "c": (
        C,
        {("main.c", "inc/list.h"), ("inc/list.c", "inc/list.h")},
        {("helper", "list_push"), ("main", "helper")},
        set(),
    ),
    "cpp": (
        CPP,
        {("circle.cpp", "shape.hpp")},
        {("Circle.size", "Circle.width")},
        {("extends", "Circle", "Shape")},
    ),
    "csharp": (
        CSHARP,
        {("Job.cs", "Base.cs")},
        {
            ("App.Jobs.Job.Start", "App.Jobs.Job.Prepare"),
            ("App.Jobs.Job.Prepare", "App.Core.Base"),
        },
        {
            ("extends", "App.Jobs.Job", "App.Core.Base"),
            ("implements", "App.Jobs.Job", "App.Jobs.IRuns"),
        },
    ),
    "ruby": (
        RUBY,
        {("lib/job.rb", "lib/base.rb")},
        {("Job.start", "Job.prepare")},
        {("extends", "Job", "Base")},
    ),
    "php": (
        PHP,
        {("src/Job.php", "src/Core/Base.php"), ("src/Job.php", "src/util.php")},
        {("App.Job.start", "App.Job.prepare"), ("App.Job.start", "helper")},
        {("extends", "App.Job", "App.Core.Base")},
    ),
    "kotlin": (
        KOTLIN,
        {("src/com/y/Job.kt", "src/com/x/Base.kt")},
        {("com.y.Job.start", "com.y.Job.prepare")},
        {("extends", "com.y.Job", "com.x.Base")},
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_whole_graph(language: str, tmp_path: Path) -> None:
    """A project's imports, calls and inheritance are exactly those its code states."""
    files, imported, called, inherited = CASES[language]
    graph = graph_of(tmp_path, files)
    assert imports(graph) == imported
    assert calls(graph) == called
    assert {tuple(edge) for edge in seen(graph, "extends", "implements")} == inherited
    assert graph.counts.files_failed == 0


def test_how_python_names_were_resolved(tmp_path: Path) -> None:
    """Each edge says how its target was found, and how sure that is."""
    graph = graph_of(tmp_path, PYTHON)
    assert how(graph, "main.Job.start", "main.Job.step") == ("exact", 0.95)
    assert how(graph, "main.Job.start", "tools.make") == ("import", 0.95)
    assert how(graph, "app/main.py", "app/base.py") == ("import", 0.95)


def test_type_references(tmp_path: Path) -> None:
    """A type that is only annotated is referred to, and one that is constructed is called."""
    files = {
        "a.ts": "export class Thing {\n}\n",
        "b.ts": (
            "import { Thing } from './a';\n"
            "function take(thing: Thing) {\n}\n"
            "function make() {\n  return new Thing();\n}\n"
        ),
    }
    graph = graph_of(tmp_path, files)
    assert ("references", "take", "Thing") in seen(graph, "references")
    assert calls(graph) == {("make", "Thing")}
