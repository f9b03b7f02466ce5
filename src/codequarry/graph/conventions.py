"""What differs between languages when a name is looked up."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Convention:
    """How one language looks up names.

    Args:
        family: Languages of one family see each other's symbols.
        self_words: Receivers that mean the enclosing type.
        super_words: Receivers that mean what the enclosing type inherits from.
        makers: Names of functions of a type that give a new one of it.
        sees_members: A bare name inside a type may mean a member of the type.
        sees_folder: Files of one folder see each other's symbols without an import.
        capital_types: A receiver that begins with a capital letter names a type.
        must_import: A bare name that is neither defined nor imported here is nothing of ours.
        builtins: Names of methods that the language's own types have; on a receiver of unknown
            type they are taken for those.
    """

    family: str
    self_words: frozenset[str] = frozenset()
    super_words: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()
    sees_members: bool = False
    sees_folder: bool = False
    capital_types: bool = True
    must_import: bool = False
    builtins: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ECMASCRIPT: Final = "ecmascript"
"""The family of JavaScript and TypeScript."""

_SCRIPT = Convention(
    family=ECMASCRIPT,
    self_words=_words("this"),
    super_words=_words("super"),
    must_import=True,
    builtins=_words(
        """add all any append apply assign at bind call catch clear close concat delete emit entries
        every exec fill filter finally find findIndex flat flatMap forEach get has includes indexOf
        join keys log map match matchAll next off on once open pop post push put race reduce
        reject remove replace replaceAll resolve reverse send set shift slice some sort splice split
        startsWith endsWith substring test then toString toLowerCase toUpperCase trim unshift
        update valueOf values write"""
    ),
)
_JVM_BUILTINS = _words(
    """add addAll append apply clear clone close compareTo contains containsKey copy count equals
    filter find first flatMap forEach format get getOrDefault getClass hashCode indexOf isEmpty
    iterator join keySet last length let map matches next of open put putAll read reduce remove
    replace run set size sort split startsWith endsWith stream substring test toList toString trim
    update valueOf values write"""
)
_C_FAMILY_BUILTINS = _words(
    """append at back begin c_str cbegin cend clear close compare contains count data emplace
    emplace_back empty end erase find first front get insert length lock next open pop pop_back
    push push_back read release reserve reset resize second size str substr swap top unlock value
    write"""
)

_CONVENTIONS = {
    "python": Convention(
        family="python",
        self_words=_words("self cls"),
        super_words=_words("super()"),
        must_import=True,
        builtins=_words(
            """add append clear close copy count decode difference discard encode endswith extend
            find flush format get group groups index insert intersection isdigit items join keys
            lower lstrip match pop popitem put read readline readlines remove replace reverse
            rfind rsplit rstrip search seek send set setdefault sort split splitlines startswith
            strip sub tell title union update upper values write writelines"""
        ),
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": Convention(
        family="go",
        capital_types=False,
        sees_folder=True,
        must_import=True,
        builtins=_words(
            """Add Bytes Close Done Error Err Flush Format Get Len Less Lock New Next Open Print
            Printf Println RLock RUnlock Read Reset Run Scan Set Start Stop String Swap Unlock
            Unwrap Wait Write WriteString"""
        ),
    ),
    "rust": Convention(
        family="rust",
        self_words=_words("self Self"),
        makers=_words("new default"),
        must_import=True,
        builtins=_words(
            """all and_then any as_bytes as_mut as_ref as_str borrow chars clear clone cloned cmp
            collect contains contains_key copied count default deref drain entry enumerate eq err
            expect extend filter find first flush fmt fold from get get_mut hash insert into
            into_iter is_empty is_err is_none is_ok is_some iter iter_mut join keys last len lock
            map map_err new next ok ok_or or_insert parse pop position push push_str read remove
            replace resize rev send sort split starts_with sum take to_owned to_string trim
            try_from try_into unwrap unwrap_or unwrap_or_default unwrap_or_else values with_capacity
            wrapping_add write zip"""
        ),
    ),
    "java": Convention(
        family="jvm",
        self_words=_words("this"),
        super_words=_words("super"),
        sees_members=True,
        sees_folder=True,
        builtins=_JVM_BUILTINS,
    ),
    "kotlin": Convention(
        family="jvm",
        self_words=_words("this"),
        super_words=_words("super"),
        sees_members=True,
        sees_folder=True,
        builtins=_JVM_BUILTINS,
    ),
    "scala": Convention(
        family="jvm",
        self_words=_words("this"),
        super_words=_words("super"),
        sees_members=True,
        sees_folder=True,
        builtins=_JVM_BUILTINS,
    ),
    "c": Convention(family="c", builtins=_C_FAMILY_BUILTINS),
    "cpp": Convention(
        family="c", self_words=_words("this"), sees_members=True, builtins=_C_FAMILY_BUILTINS
    ),
    "csharp": Convention(
        family="csharp",
        self_words=_words("this"),
        super_words=_words("base"),
        sees_members=True,
        builtins=_words(
            """Add AddRange All Any Append Clear Close Contains ContainsKey Copy CopyTo Count
            Dispose Equals First FirstOrDefault Format Get GetHashCode GetType IndexOf Insert Invoke
            Join Last Open Parse Read Remove Replace Run Select Set Single Skip Sort Split
            StartsWith EndsWith Substring Sum Take ToArray ToList ToString Trim TryGetValue Union
            Update Where Write WriteLine"""
        ),
    ),
    "ruby": Convention(
        family="ruby",
        self_words=_words("self"),
        makers=_words("new"),
        sees_members=True,
        builtins=_words(
            """add all? any? append call clear close collect concat count delete detect each
            each_with_index empty? first flatten format freeze get gsub include? index inject insert
            inspect is_a? join key? keys last length map match max merge min new next nil? open pop
            push puts raise read reduce reject replace reverse select send set shift size slice
            sort sort_by split strip sub sum tap to_a to_h to_i to_s to_sym uniq update values write
            zip"""
        ),
    ),
    "php": Convention(
        family="php",
        self_words=_words("$this this self static"),
        super_words=_words("parent"),
        builtins=_words(
            """add all call close count current delete execute exists fetch filter find first format
            get has key keys map merge next offsetGet offsetSet open read remove reset rewind run
            set toArray update valid values write"""
        ),
    ),
    "swift": Convention(
        family="swift",
        self_words=_words("self Self"),
        super_words=_words("super"),
        sees_members=True,
        builtins=_words(
            """add append contains count filter first flatMap forEach get index init insert isEmpty
            join joined last map min max reduce remove removeAll removeLast reversed set sort sorted
            split update write"""
        ),
    ),
    "lua": Convention(
        family="lua",
        self_words=_words("self"),
        builtins=_words("byte char concat find format gsub insert len match remove rep sort sub"),
    ),
    "shell": Convention(family="shell"),
}
_PLAIN = Convention(family="")


def convention_of(grammar: str | None) -> Convention:
    """Give how a grammar's language looks up names; of no family when it has no references."""
    return _CONVENTIONS.get(grammar or "", _PLAIN)
