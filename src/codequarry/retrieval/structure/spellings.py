"""Spellings of a symbol that languages take for its name, though the text has another one."""

import re
from collections.abc import Iterable, Iterator

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.retrieval.structure.statements import family_of
from codequarry.retrieval.structure.symbols import Symbol

_ACCESSOR = re.compile(r"(?:get|set|is)([A-Z]\w*)\Z")


def spellings(symbols: Iterable[Symbol]) -> set[tuple[str, str]]:
    """Give each other spelling of some symbols, with the bare name it stands for.

    A private name of Python with its class before it; an attribute of C# without its ending;
    a component of a template in lower case; an accessor of Java as a property; a setter of Ruby
    without its sign; a name of PHP in other cases, the usual ones of them.
    """
    return {
        (spelling, symbol.symbol)
        for symbol in symbols
        for spelling in _spellings(symbol)
        if spelling and spelling != symbol.symbol
    }


def _spellings(symbol: Symbol) -> Iterator[str]:
    name, family = symbol.symbol, family_of(symbol.path)
    if family == "python" and name.startswith("__") and not name.endswith("__"):
        yield f"_{_holder(symbol).lstrip('_')}{name}"
    elif family == "csharp":
        yield name.removesuffix("Attribute")
    elif family == ECMASCRIPT and name[:1].isupper():
        yield re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
    elif family == "jvm" and (found := _ACCESSOR.match(name)):
        yield found[1][:1].lower() + found[1][1:]
    elif family == "ruby" and name.endswith("="):
        yield name.removesuffix("=")
    elif family == "php":
        yield from (name.lower(), name.upper(), name[:1].swapcase() + name[1:])


def _holder(symbol: Symbol) -> str:
    return symbol.fqn.removesuffix(f".{symbol.symbol}").rpartition(".")[2]
