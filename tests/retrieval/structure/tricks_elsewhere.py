"""Ways to use a symbol that do not look like a call of its name, in other languages."""

from typing import Final

from tests.retrieval.structure.tricks_silent import SILENT, Files

__all__ = ["OTHERS", "Files"]

OTHERS: Final[dict[str, tuple[int, Files]]] = {
    "go_dot": (
        3,
        {
            "go.mod": "module ex.org/dot\n",
            "lib/def.go": "package lib\n\nfunc DotMe() int {\n\treturn 1\n}\n",
            "user.go": 'package main\n\nimport . "ex.org/dot/lib"\n\nvar f = DotMe\n',
        },
    ),
    "go_method_value": (
        5,
        {
            "def.go": (
                "package v\n\ntype T struct{}\n\nfunc (t T) ValueMe() int {\n\treturn 1\n}\n\n"
                "func use(t T) int {\n\tf := t.ValueMe\n\treturn f()\n}\n"
            )
        },
    ),
    "go_linkname": (
        3,
        {
            "def.go": "package l\n\nfunc LinkMe() int {\n\treturn 1\n}\n",
            "user.go": "package l\n\n//go:linkname other l.LinkMe\nfunc other() int\n",
        },
    ),
    "rust_pub_use": (
        1,
        {
            "src/def.rs": "pub fn rusty() -> i32 {\n    1\n}\n",
            "src/lib.rs": "mod def;\nmod user;\npub use def::rusty as shiny;\n",
            "src/user.rs": "use crate::shiny;\n\nfn go() -> Vec<i32> {\n"
            "    [1].map(|_| shiny)\n}\n",
        },
    ),
    "java_static": (
        2,
        {
            "p/Def.java": (
                "package p;\nclass Def { static int statically() {\n        return 1;\n    }\n}\n"
            ),
            "q/User.java": (
                "package q;\nimport static p.Def.statically;\n\nclass User {\n"
                "    java.util.function.Supplier<Integer> go() {\n"
                "        return User::other;\n    }\n\n"
                "    static int other() {\n        return statically();\n    }\n}\n"
            ),
        },
    ),
    "java_reference": (
        3,
        {
            "Def.java": (
                "class Def {\n\n    static int referred(int x) {\n        return x;\n    }\n}\n"
            ),
            "User.java": "class User {\n    Object go() {\n"
            "        return map(Def::referred);\n    }\n}\n",
        },
    ),
    "kotlin_property": (
        2,
        {
            "Def.java": "class Def {\n    int getTotal() {\n        return 1;\n    }\n}\n",
            "User.kt": "fun go(d: Def): Int {\n    return d.total\n}\n",
        },
    ),
    "c_pointer": (
        1,
        {
            "def.c": (
                "int pointed(int x) {\n    return x;\n}\n\nint go(void) {\n"
                "    int (*f)(int) = pointed;\n    return f(1);\n}\n"
            )
        },
    ),
    "c_macro": (
        1,
        {
            "def.c": (
                "int behind(int x) {\n    return x;\n}\n\n# define CALL behind\n\n"
                "int go(void) {\n    return CALL(1);\n}\n"
            )
        },
    ),
    "c_pasted": (
        1,
        {
            "def.c": (
                "int money_start(void) {\n    return 1;\n}\n\n#define START(n) n##_start()\n\n"
                "int go(void) {\n    return START(money);\n}\n"
            )
        },
    ),
    "csharp_alias": (
        2,
        {
            "Def.cs": "namespace A;\npublic class Aliased {\n    public static int Go() => 1;\n}\n",
            "User.cs": (
                "using X = A.Aliased;\n\nnamespace B;\n\nclass User {\n"
                "    object Go() {\n        return typeof(X);\n    }\n}\n"
            ),
        },
    ),
    "csharp_static": (
        3,
        {
            "Def.cs": (
                "namespace A;\npublic static class Statics {\n"
                "    public static int OpenIt() {\n        return 1;\n    }\n}\n"
            ),
            "User.cs": (
                "using static A.Statics;\n\nnamespace B;\n\nclass User {\n    void Go() {\n"
                "        using var d = OpenIt();\n    }\n}\n"
            ),
        },
    ),
    "csharp_attribute": (
        2,
        {
            "Def.cs": "namespace A;\npublic class MarkedAttribute : System.Attribute {\n}\n",
            "User.cs": "namespace A;\n\n[Marked]\nclass User {\n}\n",
        },
    ),
    "ruby_send": (
        1,
        {
            "def.rb": "def sent_here\n  1\nend\n",
            "user.rb": "require_relative 'def'\nsend(:sent_here)\n",
        },
    ),
    "ruby_alias": (
        2,
        {
            "def.rb": "class Box\n  def first_name\n    1\n  end\n  alias second first_name\nend\n",
            "user.rb": "require_relative 'def'\n\ndef go(b)\n  b.second\nend\n",
        },
    ),
    "ruby_setter": (
        2,
        {
            "def.rb": "class Pot\n  def height=(x)\n    @h = x\n  end\nend\n",
            "user.rb": "require_relative 'def'\n\ndef go(p)\n  p.height = 3\nend\n",
        },
    ),
    "php_function": (
        3,
        {
            "def.php": "<?php\nnamespace a;\nfunction bent($x)\n{\n    return $x;\n}\n",
            "user.php": (
                "<?php\nuse function a\\bent as c;\n\nfunction go()\n{\n    return c(1);\n}\n"
            ),
        },
    ),
    "php_text": (
        2,
        {
            "def.php": "<?php\nfunction textual($x)\n{\n    return $x;\n}\n",
            "user.php": "<?php\nfunction go()\n{\n    return array_map('textual', [1]);\n}\n",
        },
    ),
    "php_case": (
        2,
        {
            "def.php": "<?php\nfunction caseless($x)\n{\n    return $x;\n}\n",
            "user.php": "<?php\nfunction go()\n{\n    return Caseless(1);\n}\n",
        },
    ),
    **SILENT,
}
"""Name of a trick to the line of what is used, and the files."""
