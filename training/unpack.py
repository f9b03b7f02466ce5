"""Source files out of archives: regular files of known languages, contained, of bounded size."""

import io
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from codequarry.core.errors import UsageError
from codequarry.core.process import run
from codequarry.sources.languages import language_of

LANGUAGES = frozenset(
    "c cpp csharp go java javascript kotlin php python ruby rust typescript".split()
)
LARGEST_FILE = 512 * 1024
_SECONDS = 120.0
_LARGEST_TAR = 2**31
# Copies of other projects (possibly of an evaluation corpus), what was built, and tests.
_STRANGERS = frozenset(
    "_distutils _vendor _vendored cjs dist node_modules static test testdata tests third_party "
    "thirdparty thirdparty_files umd vendor vendor_modules vendored".split()
)
_BUILT = (".min.js", ".d.ts", ".d.mts", ".d.cts", "_pb2.py", ".umd.js", ".cjs")


def unpack(archive: Path, into: Path) -> None:
    """Write the source files of an archive below ``into``, whole or not at all.

    Nothing else is written: no link, no device, no path that leaves ``into``, nothing that another
    project wrote. A directory that exists is taken as unpacked already.

    Raises:
        UsageError: The archive is damaged, or of no known kind.
    """
    if into.is_dir():
        return
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into.parent) as scratch:
        root = Path(scratch) / "source"
        root.mkdir()
        try:
            for path, content in _members(archive):
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
            raise UsageError(f"{archive.name} is damaged", "delete it and run again") from error
        os.replace(root, into)


def is_wanted(path: str, size: int) -> bool:
    """Tell whether a member of an archive is source to learn from.

    Args:
        path: As the archive spells it.
        size: Bytes, as the archive says.
    """
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        return False
    if size > LARGEST_FILE or language_of(path) not in LANGUAGES or path.endswith(_BUILT):
        return False
    return _STRANGERS.isdisjoint(part.lower() for part in parts[:-1])


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix in (".whl", ".jar"):
        with zipfile.ZipFile(archive) as bundle:
            for entry in bundle.infolist():
                if not entry.is_dir() and is_wanted(entry.filename, entry.file_size):
                    yield entry.filename, bundle.read(entry)
    elif archive.suffix == ".tgz":
        with tarfile.open(archive) as bundle:
            yield from _tar_members(bundle)
    elif archive.suffix == ".deb":
        argv = ["dpkg-deb", "--fsys-tarfile", str(archive.resolve())]
        tar = run(argv, archive.parent, _SECONDS, _LARGEST_TAR).stdout
        with tarfile.open(fileobj=io.BytesIO(tar)) as bundle:
            yield from _tar_members(bundle)
    else:
        raise UsageError(f"{archive.name} is no known archive", "give .whl, .jar, .tgz or .deb")


def _tar_members(bundle: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for entry in bundle:
        path = entry.name.removeprefix("./")
        if entry.isreg() and is_wanted(path, entry.size):
            handle = bundle.extractfile(entry)
            if handle is not None:
                yield path, handle.read()
