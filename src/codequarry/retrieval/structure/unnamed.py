"""What a language or its runtime calls by a name of their own, though no text names it."""

import re

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.retrieval.structure.statements import family_of
from codequarry.retrieval.structure.symbols import Symbol

_CALLABLE = frozenset({"method", "function", "constructor"})
_IMPLICIT = {
    "python": (
        r"_\w+_|read(?:1|able|into1?|lines?)?|write|(?:writ|seek)able|flush|seek|tell|fileno|isatty"
        r"|close|keys|(?:find|exec|load|create)_(?:spec|module)"
    ),
    ECMASCRIPT: (
        r"constructor|to(?:Locale)?String|toJSON|valueOf|then|\[.*\]|next|return|throw|handleEvent"
    ),
    "go": (
        r"String|GoString|Error|Format|Is|As|Unwrap|Len|Less|Swap|Read|Write|Close|Scan|Value"
        r"|ServeHTTP|RoundTrip|Set|Push|Pop|(?:(?:Unm|M)arshal|Append|Gob)\w+|Seek|WriteTo|ReadFrom"
        r"|(?:Read|Write)(?:At|Byte|Rune|String)|Unread(?:Byte|Rune)|WriteHeader|Header|Flush|Hijack"
        r"|Open|Stat|ReadDir|ReadFile|ModTime|IsDir|Sys|Accept|(?:Local|Remote)?Addr|Network|Timeout"
        r"|Temporary|(?:Set\w*)?Deadline|Done|Err|At|Bounds|ColorModel|RGBA|Sum|Reset|BlockSize|Lock"
        r"|Unlock|LogValue|Enabled|Handle|With(?:Attrs|Group)|Int63|Uint64|Seed|ConvertValue|Visit"
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
        r"|InvokeAsync|Finalize|Deconstruct|Add|GetObjectData|Main|GetAwaiter|GetResult|IsCompleted"
        r"|(?:Unsafe)?OnCompleted|GetAsyncEnumerator|MoveNextAsync|Slice|GetPinnableReference"
        r"|Select(?:Many)?|Where|(?:Group)?Join|GroupBy|(?:Order|Then)By(?:Descending)?|Cast"
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
    "c": re.compile(
        r"w?main|w?WinMain|DllMain|(?:PyInit|luaopen|Java|JNI|napi)_\w+|Init_[a-z]\w*|LLVMFuzzer\w+"
    ),
    **dict.fromkeys(("rust", "jvm"), re.compile("main")),
}
"""Functions outside of types that a language calls, or the runner of its tests."""

_OPERATOR = re.compile(r"\b(?:operator|implicit|given)\b")
_WORD = re.compile(r"\w")


def is_implicit(symbol: Symbol) -> bool:
    """Tell whether a language calls a symbol without its name: an operator, a hook, a converter."""
    if symbol.kind not in _CALLABLE or symbol.is_test:
        return False
    if not _WORD.search(symbol.symbol) or _OPERATOR.search(symbol.signature):
        return True
    names = _FUNCTIONS if symbol.kind == "function" else _NAMES
    pattern = names.get(family_of(symbol.path))
    return pattern is not None and pattern.fullmatch(symbol.symbol) is not None
