"""What files declare about where modules lie: Go's module files, and the namespaces of C#."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.files import read_contained

_GO_MOD_BYTES = 1024 * 1024
_GO_MODULE = re.compile(rb"^module\s+\"?([^\s\"]+)", re.MULTILINE)


def is_go_module_file(path: str) -> bool:
    """Tell whether a file declares a Go module."""
    return path == "go.mod" or path.endswith("/go.mod")


def go_modules(root: Path, snapshot: pa.Table) -> Mapping[str, str]:
    """Give the folder of each readable ``go.mod`` and the module path it declares.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT.
    """
    files = snapshot.filter(pc.ends_with(snapshot["path"], "go.mod"))
    named = zip(files["path"].to_pylist(), files["os_path"].to_pylist(), strict=True)
    return {
        path.rpartition("/")[0]: name
        for path, os_path in named
        if is_go_module_file(path) and (name := _go_module(root, os_path))
    }


def _go_module(root: Path, os_path: bytes) -> str:
    try:
        found = _GO_MODULE.search(read_contained(root, os_path, _GO_MOD_BYTES))
    except OSError:
        return ""
    return os.fsdecode(found[1]) if found else ""


def declared_types(symbols: pa.Table) -> pa.Table:
    """Give path and qualified name of each C# type.

    Args:
        symbols: schemas.tables.SYMBOLS, or its columns path, fqn, kind and language.
    """
    is_type = pc.and_(
        pc.equal(symbols["language"], "csharp"),
        pc.is_in(symbols["kind"], pa.array(["class", "type"])),
    )
    return symbols.select(["path", "fqn"]).filter(is_type)


def namespaces(types: pa.Table) -> Mapping[str, tuple[str, ...]]:
    """Map each C# namespace to the files that declare types in it, ascending.

    Args:
        types: Of `declared_types`, in any order.
    """
    namespace = pl.col("fqn").str.extract(r"(?s)^(.*)\.").fill_null("")
    groups = (
        pl.DataFrame(pl.from_arrow(types))
        .sort("path")
        .group_by(namespace.alias("namespace"), maintain_order=True)
        .agg(pl.col("path").unique(maintain_order=True))
    )
    return {name: tuple(paths) for name, paths in groups.iter_rows()}
