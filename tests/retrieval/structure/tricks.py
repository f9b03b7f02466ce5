"""Ways to use a symbol that do not look like a call of its name, each in files of its own.

Each trick has a folder; what is used is defined in the file ``def.*`` of it, at the given line.
"""

from typing import Final

from tests.retrieval.structure.tricks_elsewhere import OTHERS, Files
from tests.retrieval.structure.tricks_modules import MODULES, script

_PY: Final = "def {0}(x):\n    return x\n"


def _python(definition: str, user: str, **more: str) -> Files:
    return script(definition, user, "py", **more)


TRICKS: Final[dict[str, tuple[int, Files]]] = {
    "getmembers": (
        1,
        _python(
            _PY.format("among_members"),
            "import inspect\n\nfrom . import def_ as d\n\n"
            "x = [f(1) for _, f in inspect.getmembers(d)]\n",
        ),
    ),
    "getattr_variable": (
        1,
        _python(
            _PY.format("asked_for"),
            "from . import def_\n\n\ndef go(name):\n    return getattr(def_, name)(1)\n",
        ),
    ),
    "globals": (
        1,
        _python(
            _PY.format("among_globals"),
            "from .def_ import *\n\nx = [f(1) for f in globals().values() if callable(f)]\n",
        ),
    ),
    "template_tag": (
        1,
        {
            "def.js": "export default class MyPanel {\n  show() {\n    return 1;\n  }\n}\n",
            "user.html": "<body><my-panel></my-panel></body>\n",
        },
    ),
    "template_property": (
        2,
        {
            "Def.java": (
                "class Def {\n    String getFullNom() {\n        return null;\n    }\n}\n"
            ),
            "user.html": '<p th:text="${user.fullNom}"></p>\n',
        },
    ),
    "renamed_in_settings": (
        1,
        {
            "def.py": _PY.format("set_inside"),
            "__init__.py": "from .def_ import set_inside as set_outside\n",
            "setup.cfg": "[options.entry_points]\nx =\n    a = renamed_in_settings:set_outside\n",
        },
    ),
    "one_line_module": (
        1,
        _python(_PY.format("by_module"), "import one_line_module.def_ as n; n.by_module(1)\n"),
    ),
    "one_line_from": (1, _python(_PY.format("by_from"), "from .def_ import by_from as g; g(1)\n")),
    "getattr": (
        1,
        _python(_PY.format("by_text"), "from . import def_\n\nx = getattr(def_, 'by_text')(1)\n"),
    ),
    "getattr_composed": (
        2,
        _python(
            "class Visitor:\n    def visit_name(self):\n        return 1\n",
            "def walk(v, kind):\n    return getattr(v, 'visit_' + kind)()\n",
        ),
    ),
    "composed_over_lines": (
        1,
        _python(
            _PY.format("executed_late"),
            'def go(kind):\n    exec(f"""\n    executed_{kind}(1)\n    """)\n',
        ),
    ),
    "composed_format": (
        1,
        _python(
            _PY.format("formatted_soon"),
            "from . import def_\n\n\ndef go(kind):\n"
            "    return getattr(def_, '%s_soon' % kind)(1)\n",
        ),
    ),
    "registered": (
        4,
        _python("from web import route\n\n@route\ndef handed_on():\n    return 1\n", "x = 1\n"),
    ),
    "registered_over_lines": (
        6,
        _python(
            "import web\n\n@web.route(\n    '/x',\n)\ndef handed_far():\n    return 1\n", "x = 1\n"
        ),
    ),
    "second_mark": (
        3,
        {
            "Def.java": (
                "class Def {\n    @Override @Subscribe\n    void markedTwice(int x) {\n    }\n}\n"
            ),
        },
    ),
    "renamed_in_package": (
        1,
        _python(
            _PY.format("inner_name"),
            "from renamed_in_package import outer\n\ndef go():\n    return map(outer, [1])\n",
            __init__="from .def_ import inner_name as outer\n\n__all__ = ['outer']\n",
        ),
    ),
    "rebound": (
        1,
        _python(
            _PY.format("rebind_me"),
            "from . import def_\n\nrebind_me = def_.rebind_me\n\ndef go():\n"
            "    return rebind_me(1)\n",
        ),
    ),
    "handed_beside_a_call": (
        1,
        _python(
            _PY.format("beside_me"),
            "from .table import other\n\ndef go():\n    return other(1)\n",
            table="from .def_ import beside_me\n\nbeside_me(1)\nother = beside_me\n",
        ),
    ),
    "class_in_a_variable": (
        1,
        _python(
            "class TakenOver:\n    pass\n",
            "from .table import other\n\ndef go():\n    return other()\n",
            table="from .def_ import TakenOver\n\nTakenOver()\nother = TakenOver\n",
        ),
    ),
    "another_receiver": (
        2,
        _python(
            "class A:\n    def run_both(self):\n        return 1\n\n\n"
            "class B:\n    def run_both(self):\n        return 2\n",
            "from .def_ import B\n\ndef go(x):\n    b = B()\n"
            "    return b.run_both() + x.run_both()\n",
        ),
    ),
    "another_line": (
        2,
        _python(
            "class A:\n    def run_two(self):\n        return 1\n\n\n"
            "class B:\n    def run_two(self):\n        return 2\n",
            "from .def_ import B\n\ndef go(x):\n    b = B()\n    b.run_two()\n    x.run_two()\n",
        ),
    ),
    "entry_point": (
        1,
        {
            "def.py": _PY.format("enter_me"),
            "pyproject.toml": "[project.scripts]\ntool = 'entry_point.def_:enter_me'\n",
        },
    ),
    "entry_cfg": (
        1,
        {
            "def.py": _PY.format("configure_me"),
            "setup.cfg": "[options.entry_points]\nx =\n    tool = entry_cfg.def_:configure_me\n",
        },
    ),
    "notebook": (
        1,
        {
            "def.py": _PY.format("by_notebook"),
            "n.ipynb": '{"cells": [{"source": ["from def_ import *\\n", "by_notebook(1)"]}]}\n',
        },
    ),
    "erb": (
        1,
        {"def.rb": "def erb_helper\n  1\nend\n", "view.erb": "<p><%= erb_helper %></p>\n"},
    ),
    "template": (
        5,
        {
            "def.go": "package y\n\ntype T struct{}\n\nfunc (t T) TmplMethod() int { return 1 }\n",
            "y.tmpl": "<p>{{ .TmplMethod }}</p>\n",
        },
    ),
    "private": (
        2,
        _python(
            "class Safe:\n    def __hidden(self):\n        return 1\n",
            "def go(x):\n    return x._Safe__hidden()\n",
        ),
    ),
    "protocol": (
        2,
        _python(
            "class Dot:\n    def span_of(self):\n        return 1\n",
            "from typing import Protocol\n\n\nclass Spans(Protocol):\n"
            "    def span_of(self): ...\n\n\n"
            "def go(x: Spans):\n    return x.span_of()\n",
        ),
    ),
    "dunder": (
        2,
        _python(
            "class Bag:\n    def __len__(self):\n        return 1\n",
            "def go(x):\n    return len(x)\n",
        ),
    ),
    "base_of_base_from_outside": (
        10,
        _python(
            "from abc import ABC\nimport threading\n\n\nclass Middle(threading.Thread, ABC):\n"
            "    pass\n\n\nclass Lower(Middle):\n    def silently_called(self):\n"
            "        return 1\n",
            "from base_of_base_from_outside.def_ import Lower\n\nLower().start()\n",
        ),
    ),
    "base_from_outside": (
        5,
        _python(
            "import threading\n\n\nclass Worker(threading.Thread):\n    def run_it(self):\n"
            "        return 1\n",
            "from .def_ import Worker\n\n\ndef go():\n    Worker().start()\n",
        ),
    ),
    "multiplied": (
        1,
        _python(_PY.format("times_me"), "from .def_ import times_me as t\n\nx = (2\n    * t(1))\n"),
    ),
    **MODULES,
    **OTHERS,
}
"""Name of a trick to the line of what is used, and the files."""


def files() -> dict[str, bytes]:
    """Give all tricks as one project; ``def_`` is spelled so in Python, where ``def`` is a word."""
    found = {}
    for trick, (_, parts) in TRICKS.items():
        for path, text in parts.items():
            found[f"{trick}/{path.replace('def.py', 'def_.py')}"] = text.encode()
    return found


def definition_of(trick: str) -> str:
    """Give where what a trick uses is defined, as ``path:line``."""
    line, parts = TRICKS[trick]
    path = next(path for path in parts if path.rpartition("/")[2].lower().startswith("def"))
    return f"{trick}/{path.replace('def.py', 'def_.py')}:{line}"


def user_of(trick: str) -> str:
    """Give the file that holds the last user of a trick; its definition's when it has no other."""
    return f"{trick}/{list(TRICKS[trick][1])[-1]}"
