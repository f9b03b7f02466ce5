"""What a mention of a name in a line is by the look of it: a comment, an import, or code.

Where the look may deceive, it is code: what is called code by mistake makes an answer a lower
bound, what is called an import by mistake would make it false.
"""

import re
from collections.abc import Iterator, Mapping

from codequarry.graph.conventions import ECMASCRIPT, convention_of
from codequarry.retrieval.structure.named import Named
from codequarry.syntax.grammars import grammar_of

_SLASHES = re.compile(r"\s*//(?!go:|export\s)")
_HASH = re.compile(r"\s*#(?![{\[])")
_DASHES = re.compile(r"\s*--\s")
_MARKUP = re.compile(r"\s*(?://|<!--(?!.*-->))")
_COMMENTS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("python", "ruby", "shell"), _HASH),
    "lua": _DASHES,
    "php": re.compile(r"\s*(?://|#(?!\[))"),
    "": _MARKUP,
}
_STARRED = re.compile(r"\s*/?\*(?=[\s/*])")
_NO_STARS = frozenset({"python", "ruby", "shell", "lua"})
_IMPORTS: Mapping[str, re.Pattern[str]] = {
    family: re.compile(pattern)
    for family, pattern in {
        "python": r"\s*(?:from\s+[.\w]+\s+import\b|import\s)",
        ECMASCRIPT: (
            r"\s*(?:import\b(?!\s*[(.])(?!.*=(?!\s*require\())|export\s*(?:type\s*)?[*{]"
            r"|\}\s*from\b|(?:const|let|var)\s[^=]*=\s*require\(\s*['\"`][^'\"`]*['\"`]\s*\)\s*\Z)"
        ),
        "go": r"\s*import\b",
        "rust": r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use\s|extern\s+crate\s|mod\s+\w+\s*\Z)",
        "jvm": r"\s*(?:import|package)\s",
        "c": r"\s*#\s*include\s*[<\"]|\s*using\s+(?:namespace\s+)?[\w:]+\s*\Z",
        "csharp": (
            r"\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?[\w.:]+\s*\Z|\s*namespace\s"
        ),
        # Indented, it brings a trait into a class, and that is a use.
        "php": (
            r"use\s+(?:function\s+|const\s+)?[\w\\]|namespace\s"
            r"|\s*(?:require|include)(?:_once)?\b\s*\(?\s*(?:__DIR__\s*\.\s*)?"
            r"(?:'[^']*'|\"[^\"$]*\")\s*\)?\s*\Z"
        ),
        "ruby": (
            r"\s*(?:require|require_relative|load)\b\s*\(?\s*(?:'[^']*'|\"[^\"#]*\")\s*\)?\s*\Z"
            r"|\s*autoload\b"
        ),
        "swift": r"\s*(?:@\w+\s+)?import\s",
        "lua": r"\s*(?:local\s+\w+\s*=\s*)?require\b\s*\(?\s*['\"][^'\"]*['\"]\s*\)?\s*\Z",
        "shell": r"\s*(?:source|\.)\s",
    }.items()
}
_SPELLED = 200
_ENDS = tuple(".)]}>:\\?")
_CHAIN = re.compile(r"(?:[\w$@]+\s*(?:\?\.|\.|::|->|\\)\s*)+\Z")
# What is called, or goes on where the line does not tell, is more than imported.
_CALLED = re.compile(r"\s*(?:\?\.|!)?\s*(?:(?:::)?<[^()]*>|\[[^\[\]()]*\])?\s*[(`]")
_CALLED_BEFORE = re.compile(r"(?:@|</?)[\w.$]*\Z")
_GIVEN_TO = re.compile(r"(?<![=!<>+*/%&|^:-])=\s*(?:[\w$]+(?:\.|::))*\Z")
_GIVEN_WHOLE = re.compile(r"\s*(?:;|#|//|\Z)")
_TYPE_ALIAS = re.compile(r"\s*(?:export\s+|pub\s+)?(?:type|typedef|typealias|using)\b")
_PARENTHESES = frozenset({"python", ECMASCRIPT, "go", "rust", "c", "csharp", "php"})
_USED = re.compile(r"\s*(?:[(\[`]|\?\.|\\\s*\Z)")


def occurrences(line: Named) -> Iterator[tuple[int, int]]:
    """Give where a line holds its name as a whole identifier."""
    for place in re.finditer(rf"(?<![\w$]){re.escape(line.name)}(?![\w$])", line.text):
        yield place.span()


def family_of(path: str) -> str:
    """Give the language family of a file; empty when its references are not read."""
    return convention_of(grammar_of(path)).family


def spelled(text: str, start: int) -> str | None:
    """Give the chain of names before what begins at a place; ``None`` behind an expression."""
    before = text[max(start - _SPELLED, 0) : start].rstrip()
    chain = _CHAIN.search(before)
    begins = chain.start() if chain else len(before)
    return None if before[:begins].rstrip()[-1:] in _ENDS else re.sub(r"\s", "", before[begins:])


def is_comment(line: Named, end: int) -> bool:
    """Tell whether what ends at a place of a line lies in a comment that the line begins with."""
    family = family_of(line.path)
    if _COMMENTS.get(family, _SLASHES).match(line.text):
        return True
    if family in _NO_STARS or not _STARRED.match(line.text):
        return False
    is_begun = line.text.lstrip()[:2] == "/*" or line.head.lstrip()[:2] == "/*"
    return is_begun and "*/" not in line.text[:end]


def is_import(line: Named, start: int, end: int) -> bool:
    """Tell whether what lies between two places of a line is imported there, and no more."""
    pattern = _IMPORTS.get(family_of(line.path))
    if pattern is None or _USED.match(line.text, end):
        return False
    begins = line.text.rfind(";", 0, start) + 1
    stops = line.text.find(";", end)
    statement = line.text[begins : stops if stops >= 0 else len(line.text)]
    if pattern.match(statement):
        return True
    return not begins and _is_open(line.head) and pattern.match(line.head) is not None


def _is_open(head: str) -> bool:
    """Tell whether a line leaves a bracket open."""
    return sum(map(head.count, "({")) > sum(map(head.count, ")}"))


def is_handed_on(line: Named, start: int, end: int) -> bool:
    """Tell whether a function between two places of a line is surely not called there."""
    if family_of(line.path) not in _PARENTHESES and not line.path.endswith(".java"):
        return False
    is_called = _CALLED.match(line.text, end) or _CALLED_BEFORE.search(line.text[:start])
    return not is_called


def is_renamed(line: Named, start: int, end: int) -> bool:
    """Tell whether a variable is given what lies between two places of a line, and so a name."""
    is_given = _GIVEN_TO.search(line.text[:start]) and _GIVEN_WHOLE.match(line.text, end)
    return is_given is not None and not _TYPE_ALIAS.match(line.text)
