"""The files of a project that an import means."""

import posixpath
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codequarry.graph.defaults import SCRIPTS
from codequarry.graph.imports import DEFAULT, Import
from codequarry.graph.layout import Layout


class Bound(NamedTuple):
    """What an import brings into a file.

    Args:
        files: The project's files that hold it; empty when it lies outside of the project.
        imported: Name of a symbol in them; ``*`` for all; empty when the files are the module.
        default: Name in them of what is imported as the default, or is the module; empty when that
            is not told.
    """

    files: tuple[str, ...]
    imported: str
    default: str = ""


def bind(layout: Layout, importer: str, grammar: str, what: Import) -> Bound:
    """Find the files that an import means.

    Args:
        layout: The project's files.
        importer: Path of the importing file.
        grammar: Its grammar.
        what: The import.
    """
    match grammar:
        case "python":
            return _python(layout, importer, what)
        case "javascript" | "typescript" | "tsx":
            return _ecmascript(layout, importer, what)
        case "go":
            return Bound(_go(layout, what.module), what.imported)
        case "rust":
            return _rust(layout, importer, what)
        case "java" | "kotlin" | "scala":
            return _jvm(layout, grammar, what)
        case "csharp":
            return _csharp(layout, what)
        case "php" if not what.relative:
            return Bound(_php(layout, what), what.imported)
        case "c" | "cpp":
            return Bound(_include(layout, importer, what.module), "*")
        case "lua":
            return Bound(_required(layout, importer, what, what.module.replace(".", "/")), "*")
        case _:
            return Bound(_required(layout, importer, what, what.module), "*")


def _join(folder: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(folder, relative))


def _ancestors(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _python(layout: Layout, importer: str, what: Import) -> Bound:
    folder = posixpath.dirname(importer)
    key = (folder, what.module, what.imported)
    if key not in layout.found:
        layout.found[key] = _python_module(layout, folder, what)
    return Bound(*layout.found[key])


def _python_module(layout: Layout, folder: str, what: Import) -> tuple[tuple[str, ...], str]:
    name = what.module.lstrip(".")
    dots = len(what.module) - len(name)
    relative = name.replace(".", "/")
    if dots:
        bases: Iterable[str] = [_join(folder, "../" * (dots - 1) + ".")]
    else:
        bases = _python_roots(layout, folder)
    for base in bases:
        target = _join(base, relative)
        if what.imported not in ("", "*"):
            submodule = layout.first(_python_files(posixpath.join(target, what.imported)))
            package = layout.first(_python_files(target))
            if submodule and not (package and _is_module(package[0])):
                return submodule, ""
        if found := layout.first(_python_files(target)):
            return found, what.imported
    return (), what.imported


def _is_module(path: str) -> bool:
    return posixpath.basename(path).partition(".")[0] != "__init__"


def _python_files(target: str) -> Iterator[str]:
    target = target.removeprefix("./")
    for extension in ("py", "pyi"):
        yield f"{target}/__init__.{extension}".removeprefix("./")
        yield f"{target}.{extension}"


def _python_roots(layout: Layout, folder: str) -> Iterator[str]:
    """Give the folders that may lie on the interpreter's path, the nearest first."""
    for ancestor in _ancestors(folder):
        if not ancestor or posixpath.join(ancestor, "__init__.py") not in layout.files:
            yield ancestor
            yield posixpath.join(ancestor, "src")
            yield posixpath.join(ancestor, "lib")


def _ecmascript(layout: Layout, importer: str, what: Import) -> Bound:
    files = _ecmascript_module(layout, importer, what.module)
    if not files or layout.defaults is None or what.imported not in ("", DEFAULT):
        return Bound(files, what.imported)
    return Bound(files, what.imported, layout.defaults.of(files[0]))


def _ecmascript_module(layout: Layout, importer: str, module: str) -> tuple[str, ...]:
    if module.startswith("."):
        bases = [posixpath.dirname(importer)]
    elif module.startswith(("@/", "~/")):
        module = module[2:]
        bases = [_join(a, "src") for a in _ancestors(posixpath.dirname(importer))]
    else:
        return ()
    return layout.first(
        path
        for base in bases
        for path in _ecmascript_files(_join(base, module) if module else base)
    )


def _ecmascript_files(target: str) -> Iterator[str]:
    yield target
    stem, _, extension = target.rpartition(".")
    if extension in ("js", "jsx", "mjs", "cjs"):
        # TypeScript sources import the name of the file that they are compiled to.
        typed = extension.replace("j", "t")
        yield from (f"{stem}.{typed}", f"{stem}.tsx", f"{stem}.d.ts")
    yield from (f"{target}.{extension}" for extension in SCRIPTS)
    inside = "" if target == "." else f"{target}/"
    yield from (f"{inside}index.{extension}" for extension in SCRIPTS)


def _go(layout: Layout, module: str) -> tuple[str, ...]:
    for folder, name in sorted(layout.go_modules.items(), key=lambda pair: -len(pair[1])):
        if module == name or module.startswith(f"{name}/"):
            return layout.package(_join(folder, f".{module[len(name) :]}").removeprefix("."), "go")
    if layout.go_modules or "." not in module.partition("/")[0]:
        return ()
    parts = module.split("/")
    for cut in range(1, len(parts)):
        if found := layout.package("/".join(parts[cut:]), "go"):
            return found
    return ()


def _rust(layout: Layout, importer: str, what: Import) -> Bound:
    parts = [part for part in what.module.split("::") if part]
    if what.imported != "*":
        parts.append(what.imported)
    own = _rust_folder(importer)
    first = parts[0] if parts else ""
    if first == "crate":
        base, parts = _crate_folder(importer), parts[1:]
    elif first in ("self", "super"):
        base = own
        while parts and parts[0] in ("self", "super"):
            base = posixpath.dirname(base) if parts[0] == "super" else base
            parts = parts[1:]
    elif layout.first(_rust_files(posixpath.join(own, first))):
        base = own
    else:
        crates = (f"{c}/src" for c in (first, first.replace("_", "-")))
        found = [p for c in crates for p in layout.ending(f"{c}/lib.rs")]
        if len(found) != 1:
            return Bound((), what.imported)
        base, parts = posixpath.dirname(found[0]), parts[1:]
    for cut in range(len(parts), -1, -1):
        if file := layout.first(_rust_files(posixpath.join(base, *parts[:cut]))):
            rest = parts[cut:]
            star = what.imported == "*"
            return Bound(file, "*" if star and not rest else rest[-1] if rest else "")
    return Bound((), what.imported)


def _rust_files(target: str) -> Iterator[str]:
    yield f"{target}.rs"
    for name in ("mod", "lib", "main"):
        yield posixpath.join(target, f"{name}.rs")


def _rust_folder(path: str) -> str:
    """Give the folder that holds the child modules of a Rust file."""
    folder, name = posixpath.split(path)
    stem = name.removesuffix(".rs")
    return folder if stem in ("mod", "lib", "main") else posixpath.join(folder, stem)


def _crate_folder(path: str) -> str:
    folder = posixpath.dirname(path)
    return next((a for a in _ancestors(folder) if posixpath.basename(a) == "src"), folder)


_JVM_EXTENSIONS = ("java", "kt", "scala")


def _jvm(layout: Layout, grammar: str, what: Import) -> Bound:
    target = what.module.replace(".", "/")
    if what.imported == "*":
        files = layout.packages_ending(target, grammar) or _jvm_files(layout, target)
        return Bound(files, "*")
    if found := _jvm_files(layout, f"{target}/{what.imported}"):
        return Bound(found, what.imported)
    # A member of a class, or in Kotlin and Scala a function whose file has a name of its own.
    files = _jvm_files(layout, target) or layout.packages_ending(target, grammar)
    return Bound(files, what.imported)


def _jvm_files(layout: Layout, target: str) -> tuple[str, ...]:
    found = (layout.ending(f"{target}.{extension}") for extension in _JVM_EXTENSIONS)
    return next((paths for paths in found if paths), ())


def _csharp(layout: Layout, what: Import) -> Bound:
    if what.imported == "*":
        whole = layout.namespaces.get(what.module, ())
        return Bound(whole, "*")
    return Bound(layout.namespaces.get(what.module, ()), what.imported)


def _php(layout: Layout, what: Import) -> tuple[str, ...]:
    parts = [*what.module.split("\\"), what.imported] if what.module else [what.imported]
    # PSR-4 maps some prefix of the namespace to a folder of any name.
    for cut in range(len(parts)):
        found = layout.ending("/".join(parts[cut:]) + ".php")
        if len(found) == 1:
            return found
    return ()


def _include(layout: Layout, importer: str, module: str) -> tuple[str, ...]:
    system = module.startswith("<")
    name = posixpath.normpath(module.strip('<>"'))
    if not system and (found := layout.first([_join(posixpath.dirname(importer), name)])):
        return found
    if name.startswith("..") or (system and "/" not in name):
        return ()
    found = layout.ending(name)
    return found if len(found) == 1 else ()


def _required(layout: Layout, importer: str, what: Import, name: str) -> tuple[str, ...]:
    folder = posixpath.dirname(importer)
    extension = posixpath.splitext(importer)[1]
    bases = (
        [folder]
        if what.relative
        else [posixpath.join(a, part) for a in _ancestors(folder) for part in ("", "lib")]
    )
    return layout.first(
        path for base in bases for path in (_join(base, name), _join(base, name + extension))
    )
