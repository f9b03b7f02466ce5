"""What differs between languages beyond their queries: documentation, names, tests."""

import re
from dataclasses import dataclass

_BLOCK_DOC = (b"/**",)


@dataclass(frozen=True)
class Tests:
    """How a language marks a test: every pattern that is given must be found.

    Args:
        path: Searched in the file's path.
        name: Searched in the bare name.
        marker: Searched in the annotations above the declaration.
        macro: Searched in the signature; its groups ``owner`` and ``name`` name the test.
    """

    path: re.Pattern[str] | None = None
    name: re.Pattern[str] | None = None
    marker: re.Pattern[bytes] | None = None
    macro: re.Pattern[str] | None = None

    def hold(self, path: str, name: str, annotations: bytes) -> bool:
        """Tell whether a function is a test by its path, name and annotations."""
        return (
            (self.path is None or self.path.search(path) is not None)
            and (self.name is None or self.name.search(name) is not None)
            and (self.marker is None or self.marker.search(annotations) is not None)
        )


@dataclass(frozen=True)
class Convention:
    """The habits of one grammar.

    Args:
        block_docs: Openings of block comments that document what follows.
        line_docs: Openings of line comments that document what follows.
        directive: Comment lines that speak to a tool and are no documentation.
        attribute: Start of a line that may stand between documentation and declaration.
        bodies: Node types at which a signature ends, where the grammar has no field for it.
        stem_is_module: Qualified names begin with the file's module name.
        modules_hold_methods: A function directly in a module is a method.
        method_mark: What only a method's qualified name holds.
        splits_names: What separates the parts of a name that is written qualified.
        separator: What joins the parts of a qualified name.
        tests: How tests are marked.
        most: Symbols to keep of a file, at most.
    """

    block_docs: tuple[bytes, ...] = ()
    line_docs: tuple[bytes, ...] = ()
    directive: re.Pattern[bytes] | None = None
    attribute: re.Pattern[bytes] | None = None
    bodies: frozenset[str] = frozenset()
    stem_is_module: bool = False
    modules_hold_methods: bool = False
    method_mark: str = "\0"
    splits_names: re.Pattern[str] | None = None
    separator: str = "."
    tests: Tests | None = None
    most: int = 20_000


_SCOPED = re.compile(r"::")
_ECMASCRIPT = Convention(block_docs=_BLOCK_DOC, attribute=re.compile(rb"@\w"))
_KEYS = Convention(line_docs=(b"#",), most=500)
_C_FAMILY = Convention(
    block_docs=(b"/*",),
    line_docs=(b"//",),
    method_mark="::",
    splits_names=_SCOPED,
    tests=Tests(
        macro=re.compile(
            r"^(?:TYPED_)?TEST(?:_F|_P)?\s?\(\s?(?P<owner>\w+)\s?,\s?(?P<name>\w+)\s?\)$"
        )
    ),
)
_PLAIN = Convention()

_CONVENTIONS = {
    "c": _C_FAMILY,
    "cpp": _C_FAMILY,
    "csharp": Convention(
        block_docs=_BLOCK_DOC,
        line_docs=(b"///",),
        tests=Tests(marker=re.compile(rb"\[\s*(?:Test|TestCase|TestMethod|Fact|Theory)\b")),
    ),
    "css": Convention(
        block_docs=(b"/*",), line_docs=(b"//",), bodies=frozenset({"block", "keyframe_block_list"})
    ),
    "go": Convention(
        block_docs=(b"/*",),
        line_docs=(b"//",),
        directive=re.compile(rb"//(?:go:|nolint|export |line )"),
        tests=Tests(
            path=re.compile(r"_test\.go$"), name=re.compile(r"^(?:Test|Benchmark|Fuzz|Example)")
        ),
    ),
    "java": Convention(
        block_docs=_BLOCK_DOC,
        tests=Tests(marker=re.compile(rb"@(?:\w+\.)*(?:\w*Test|TestFactory|TestTemplate)\b")),
    ),
    "javascript": _ECMASCRIPT,
    "json": Convention(most=500),
    "kotlin": Convention(
        block_docs=_BLOCK_DOC,
        bodies=frozenset({"function_body", "class_body", "enum_class_body"}),
        tests=Tests(marker=re.compile(rb"@(?:\w+\.)*\w*Test\b")),
    ),
    "lua": Convention(line_docs=(b"--",), method_mark=":", splits_names=re.compile(r"[.:]")),
    "markdown": Convention(separator=" > "),
    "php": Convention(
        block_docs=_BLOCK_DOC,
        splits_names=re.compile(r"\\"),
        tests=Tests(path=re.compile(r"Test\.php$"), name=re.compile(r"^test")),
    ),
    "python": Convention(
        stem_is_module=True,
        tests=Tests(
            path=re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?)\.py$|(?:^|/)tests?/"),
            name=re.compile(r"^test"),
        ),
    ),
    "ruby": Convention(
        line_docs=(b"#",),
        modules_hold_methods=True,
        splits_names=_SCOPED,
        directive=re.compile(rb"#!|#\s*(?:frozen_string_literal|encoding):"),
        tests=Tests(
            path=re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.rb$"), name=re.compile(r"^test_")
        ),
    ),
    "rust": Convention(
        block_docs=_BLOCK_DOC,
        line_docs=(b"///",),
        attribute=re.compile(rb"#\["),
        splits_names=_SCOPED,
        tests=Tests(marker=re.compile(rb"#\[(?:\w+::)*test\b")),
    ),
    "scala": Convention(block_docs=_BLOCK_DOC, tests=Tests(marker=re.compile(rb"@Test\b"))),
    "shell": Convention(line_docs=(b"#",), directive=re.compile(rb"#!|#\s*shellcheck ")),
    "sql": Convention(
        block_docs=(b"/*",),
        line_docs=(b"--",),
        bodies=frozenset({"function_body", "procedure_body", "create_query"}),
        splits_names=re.compile(r"\."),
    ),
    "swift": Convention(
        block_docs=_BLOCK_DOC,
        line_docs=(b"///",),
        tests=Tests(path=re.compile(r"Tests?(?:/|\.swift$)"), name=re.compile(r"^test")),
    ),
    "toml": _KEYS,
    "tsx": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "yaml": _KEYS,
    "html": Convention(separator=" > "),
}


def convention_of(grammar: str) -> Convention:
    """Give a grammar's habits."""
    return _CONVENTIONS.get(grammar, _PLAIN)
