"""Ways to use a symbol from files of another language, and ways to call it without its name."""

from typing import Final

Files = dict[str, str]

_JAVA: Final = "package p;\n\nclass {0} {{\n    void {1}() {{\n    }}\n}}\n"
_PY: Final = "def {0}(x):\n    return x\n"

_BESIDE: Final[dict[str, tuple[int, Files]]] = {
    "spring_xml": (
        4,
        {
            "def.java": _JAVA.format("BeanHeld", "startHeld"),
            "beans.xml": '<bean id="b" class="p.BeanHeld" init-method="startHeld"/>\n',
        },
    ),
    "services_file": (
        3,
        {
            "def.java": _JAVA.format("ServiceHeld", "serve"),
            "META-INF/services/p.Api": "p.ServiceHeld\n",
        },
    ),
    "gradle_script": (
        3,
        {
            "def.java": _JAVA.format("PluginHeld", "applied"),
            "build.gradle": "gradlePlugin { x { implementationClass = 'p.PluginHeld' } }\n",
        },
    ),
    "xaml": (
        3,
        {
            "def.cs": "namespace A;\nclass Pane {\n    void Saved_Click(object a) {\n    }\n}\n",
            "Pane.xaml": '<Window><Button Click="Saved_Click"/></Window>\n',
        },
    ),
    "mdx": (
        1,
        {
            "def.jsx": "export function ChartHeld() {\n  return 1;\n}\n",
            "page.mdx": "import { ChartHeld } from './def';\n\n# Page\n\n<ChartHeld/>\n",
        },
    ),
    "cython": (
        1,
        {
            "def.c": "int cythonized(int x) {\n    return x;\n}\n",
            "w.pyx": 'cdef extern from "x.h":\n    int cythonized(int x)\n',
        },
    ),
    "assembly": (
        1,
        {
            "def.c": "int assembled(int x) {\n    return x;\n}\n",
            "entry.S": "start:\n    call assembled\n",
        },
    ),
    "ctypes": (
        1,
        {
            "def.c": "int by_ctypes(int x) {\n    return x;\n}\n",
            "user.py": "import ctypes\n\nprint(ctypes.CDLL('lib.so').by_ctypes(1))\n",
        },
    ),
    "foreign_declaration": (
        1,
        {
            "def.c": "int by_rust(int x) {\n    return x;\n}\n",
            "user.rs": (
                'extern "C" {\n    fn by_rust(x: i32) -> i32;\n}\n\n'
                "pub fn go() -> i32 {\n    unsafe { by_rust(1) }\n}\n"
            ),
        },
    ),
    "sql_function": (
        1,
        {
            "def.c": "int by_sql(int x) {\n    return x;\n}\n",
            "user.sql": "CREATE FUNCTION f(int) RETURNS int AS 'lib', 'by_sql' LANGUAGE C;\n",
        },
    ),
    "procfile": (
        1,
        {"def.py": _PY.format("create_held"), "Procfile": "web: gunicorn def_:create_held()\n"},
    ),
    "terraform": (
        1,
        {
            "def.py": _PY.format("lambda_held"),
            "main.tf": 'x {\n  handler = "def_.lambda_held"\n}\n',
        },
    ),
    "text_template": (
        2,
        {
            "def.py": "class Person:\n    def full_title(self):\n        return 1\n",
            "mail.txt": "Dear {{ user.full_title }}\n",
        },
    ),
}

_UNNAMED: Final[dict[str, tuple[int, Files]]] = {
    "rust_trait": (
        8,
        {
            "def.rs": (
                "pub struct Seen;\n\nimpl<'de> outside::Visitor<'de>\n    for Seen\nwhere\n"
                "    Seen: Copy,\n{\n    fn visit_silently(self) -> i32 {\n        1\n    }\n}\n"
            )
        },
    ),
    "swift_extension": (
        5,
        {
            "def.swift": (
                "class Panel {\n}\n\nextension Panel: OutsideDelegate {\n"
                "    func tableTapped(x: Int) -> Int {\n        return 1\n    }\n}\n"
            )
        },
    ),
    "ruby_mixin": (
        4,
        {
            "def.rb": (
                "class Laborer\n  include Sidekiq::Worker\n\n  def performed_silently\n    1\n"
                "  end\nend\n"
            )
        },
    ),
    "php_trait": (
        5,
        {
            "def.php": (
                "<?php\nclass Blended\n{\n    use OutsideTrait;\n    function booted_silently()\n"
                "    {\n        return 1;\n    }\n}\n"
            )
        },
    ),
    "kotlin_object": (
        2,
        {
            "def.kt": (
                "val tapped = object : Outside {\n    override fun onTappedSilently() {\n    }\n}\n"
            )
        },
    ),
    "java_anonymous": (
        5,
        {
            "def.java": (
                "package p;\nclass Anon {\n    Object o = new Outside() {\n        @Override\n"
                "        public void onSilence() {\n        }\n    };\n}\n"
            )
        },
    ),
    "cpp_apart": (
        3,
        {
            "def.cpp": '#include "w.h"\n\nvoid WinApart::paintSilently(int e) {\n}\n',
            "w.h": "class WinApart : public QWidget {\n    void paintSilently(int e);\n};\n",
        },
    ),
    "csharp_partial": (
        3,
        {
            "def.cs": (
                "namespace A;\npartial class Parted {\n    void ShownSilently(int e) {\n    }\n}\n"
            ),
            "Other.cs": "namespace A;\npartial class Parted : Form {\n}\n",
        },
    ),
    "go_seeker": (
        5,
        {
            "def.go": (
                "package s\n\ntype Sought struct{}\n\n"
                "func (s *Sought) Seek(o int64, w int) (int64, error) {\n\treturn 0, nil\n}\n"
            )
        },
    ),
    "csharp_awaited": (
        3,
        {
            "def.cs": (
                "namespace A;\nclass Later {\n    public int GetAwaiter() {\n"
                "        return 1;\n    }\n}\n"
            )
        },
    ),
    "file_like": (
        2,
        {
            "def.py": "class Sink:\n    def readinto(self, b):\n        return 0\n",
            "user.py": "import io\nfrom .def_ import Sink\n\nx = io.BufferedReader(Sink())\n",
        },
    ),
    "iterator": (2, {"def.js": "class Steps {\n  next() {\n    return {};\n  }\n}\n"}),
    "model": (
        4,
        {"def.py": "from django.db import models\n\n\nclass ModelHeld(models.Model):\n    x = 1\n"},
    ),
    "subclasses": (
        5,
        {
            "def.py": "class Counted:\n    pass\n\n\nclass HeirHeld(Counted):\n    pass\n",
            "user.py": (
                "from .def_ import Counted\n\ndef go():\n"
                "    return [k() for k in Counted.__subclasses__()]\n"
            ),
        },
    ),
    "init_subclass": (
        6,
        {
            "def.py": (
                "class Noting:\n    def __init_subclass__(cls):\n        KNOWN.append(cls)\n\n\n"
                "class NotedHeir(Noting):\n    pass\n\n\nKNOWN = []\n"
            )
        },
    ),
    "metaclass": (
        5,
        {
            "def.py": (
                "class Meta(type):\n    pass\n\n\nclass MetaHeir(metaclass=Meta):\n    pass\n"
            )
        },
    ),
    "ruby_inherited": (
        7,
        {
            "def.rb": (
                "class Watching\n  def self.inherited(kind)\n    KINDS << kind\n  end\nend\n\n"
                "class WatchedHeir < Watching\nend\n"
            )
        },
    ),
}

SILENT: Final = {**_BESIDE, **_UNNAMED}
"""Name of a trick to the line of what is used, and the files."""
