"""What is called though no text names it: by the language, or by a base from outside."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import pyarrow as pa

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.graph.nodes import CLASSES
from codequarry.retrieval.structure.statements import family_of
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

GENERATIONS: Final = 16
"""Types above each other that are looked at; what has more may inherit from anything."""

_INHERITS = ("extends", "implements")
_CALLABLE = frozenset({"method", "function", "constructor"})
_IMPLICIT = {
    "python": r"_\w+_",
    ECMASCRIPT: r"constructor|toString|toJSON|valueOf|then|\[.*\]",
    "go": (
        r"String|GoString|Error|Format|Is|As|Unwrap|Len|Less|Swap|Read|Write|Close|Scan|Value"
        r"|ServeHTTP|RoundTrip|Set|Push|Pop|(?:Unm|M)arshal\w+"
    ),
    "rust": (
        r"drop|fmt|from|try_from|into|deref|deref_mut|as_ref|borrow|next|into_iter|clone|eq|cmp"
        r"|partial_cmp|hash|default|index|index_mut|add|sub|mul|div|rem|neg|not|\w+_assign|poll"
        r"|call|from_str|serialize|deserialize"
    ),
    "jvm": (
        r"toString|equals|hashCode|compareTo|compare|close|run|call|get|apply|unapply|accept|test"
        r"|iterator|next|hasNext|finalize|readObject|writeObject|clone|invoke|update|component\d+"
        r"|getValue|setValue|readResolve|writeReplace|main"
        r"|getMessage|getLocalizedMessage|getCause|fillInStackTrace"
    ),
    "c": r"~.*",
    "csharp": (
        r"ToString|Equals|GetHashCode|CompareTo|Dispose|DisposeAsync|GetEnumerator|MoveNext|Invoke"
        r"|InvokeAsync|Finalize|Deconstruct|Add|GetObjectData|Main"
    ),
    "ruby": (
        r"initialize|to_\w+|inspect|each|hash|eql\?|call|coerce|method_missing|message|backtrace"
        r"|respond_to_missing\?|included|extended|inherited|prepended|const_missing"
    ),
    "php": r"__\w+|jsonSerialize|offset\w+|getIterator|current|key|next|valid|rewind|count",
    "swift": r"init|deinit|callAsFunction|subscript|description|hash|encode",
    "lua": r"__\w+",
}
_NAMES = {family: re.compile(pattern) for family, pattern in _IMPLICIT.items()}
_FUNCTIONS = {
    "python": re.compile(r"__\w+__|pytest_\w+"),
    "go": re.compile("main|init"),
    **dict.fromkeys(("c", "rust", "jvm"), re.compile("main")),
}
"""Functions outside of types that a language calls, or the runner of its tests."""

_OPERATOR = re.compile(r"\b(?:operator|implicit|given)\b")
_WORD = re.compile(r"\w")

_HEAD = re.compile(r"\s*class\s+\w+\s*(?P<generic>\[[^\]]*\])?\s*\((?P<bases>.*)\)", re.DOTALL)
_HERITAGE = re.compile(r"(?:\b(?:extends|implements|with)\b|<|(?<!:):(?!:))(.*)", re.DOTALL)
_ENCLOSED = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_BETWEEN = re.compile(r"[,{]|\b(?:extends|implements|with|where)\b")
_LAST = re.compile(r"(\w+)\W*\Z")
_HARMLESS = frozenset(
    """object ABC Generic Protocol Enum StrEnum IntEnum Flag NamedTuple TypedDict Exception Error
    BaseException RuntimeError ValueError TypeError KeyError LookupError OSError StandardError
    RuntimeException Throwable Object Serializable""".split()
)
"""Bases from outside that call no method but those that are implicit anyway."""


def is_implicit(symbol: Symbol) -> bool:
    """Tell whether a language calls a symbol without its name: an operator, a hook, a converter."""
    if symbol.kind not in _CALLABLE or symbol.is_test:
        return False
    if not _WORD.search(symbol.symbol) or _OPERATOR.search(symbol.signature):
        return True
    names = _FUNCTIONS if symbol.kind == "function" else _NAMES
    pattern = names.get(family_of(symbol.path))
    return pattern is not None and pattern.fullmatch(symbol.symbol) is not None


def called_from_outside(view: GraphView, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Give the methods of types that inherit from one that the graph does not have.

    Args:
        view: The graph.
        symbols: Symbols of one project.
    """
    methods = {s.symbol_id: s for s in symbols if s.kind == "method" and not s.is_test}
    holders = _pairs(view.edges(methods.keys(), "in", ("contains",)))
    owners = {holder: {holder} for holder, _ in holders}  # a type to those that inherit from it
    heirs: set[int] = set()
    for _ in range(GENERATIONS):
        types = [kind for kind in view.by_ids(owners).values() if kind.kind in CLASSES]
        lines = _pairs(view.edges([kind.symbol_id for kind in types], "out", _INHERITS))
        known = Counter(heir for heir, _ in set(lines))
        for kind in types:
            if len(bases_of(kind.signature)) > known[kind.symbol_id]:
                heirs |= owners[kind.symbol_id]
        above: dict[int, set[int]] = defaultdict(set)
        for heir, base in lines:
            above[base] |= owners[heir] - heirs
        owners = {base: below for base, below in above.items() if below}
    heirs |= set[int]().union(*owners.values())
    return tuple(methods[method] for holder, method in holders if holder in heirs)


def _pairs(edges: pa.Table) -> list[tuple[int, int]]:
    return list(zip(edges["source_id"].to_pylist(), edges["target_id"].to_pylist(), strict=True))


def bases_of(signature: str) -> Sequence[str]:
    """Give the bare names of what the head of a type says that it inherits from."""
    head = _HEAD.fullmatch(signature.rstrip(" :"))
    rest = _bare(head["bases"]) if head else ")"
    if ")" in rest:  # no class of Python: what a constructor takes, and then the bases
        heritage = _HERITAGE.search(_bare(signature))
        rest = heritage[1] if heritage else ""
    parts = [part for part in _BETWEEN.split(rest) if "=" not in part]
    names = (found[1] for part in parts if (found := _LAST.search(part)))
    return [name for name in dict.fromkeys(names) if name not in _HARMLESS]


def _bare(text: str) -> str:
    """Take away what is enclosed in brackets."""
    while (shorter := _ENCLOSED.sub("", text)) != text:
        text = shorter
    return text
