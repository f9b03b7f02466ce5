"""The packages whose source the model learns from, pinned in ``packages.json``."""

from pathlib import Path

import msgspec

from codequarry.core.errors import UsageError

PACKAGES = Path(__file__).parent / "packages.json"
LICENCES = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "Biopython",
        "ISC",
        "MIT",
        "PSF-2.0",
    }
)
"""What a training package may be licensed under; of a choice, the licence taken is named."""

REGISTRIES = ("debian", "maven", "npm", "pypi")


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pinned package.

    Args:
        registry: One of `REGISTRIES`.
        name: As its registry spells it; Maven's is ``group:artifact``.
        version: Exact.
        licence: One of `LICENCES`.
        sha256: Of the archive; the same bytes give the same weights.
        budget: Bytes of its source that are read, so that no package is most of the lesson.
    """

    registry: str
    name: str
    version: str
    licence: str
    sha256: str
    budget: int

    @property
    def folder(self) -> str:
        """The directory name of its source: no separator of a path, none of another package."""
        plain = self.name.replace("/", "+").replace(":", "+")
        return f"{self.registry}-{plain}"


def load_packages(path: Path = PACKAGES) -> tuple[Package, ...]:
    """Read and check the list, in the order in which it is learnt from.

    Raises:
        UsageError: An entry is malformed, twice there, or not permissively licensed.
    """
    try:
        packages = msgspec.json.decode(path.read_bytes(), type=tuple[Package, ...])
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"{path.name} cannot be read: {error}", "repair it") from error
    for package in packages:
        if package.licence not in LICENCES or package.registry not in REGISTRIES:
            raise UsageError(
                f"{package.name} has licence {package.licence!r} of registry {package.registry!r}",
                "take packages of permissive licences from the registries named in packages.py",
            )
    folders = [package.folder for package in packages]
    if len(set(folders)) < len(folders):
        raise UsageError(f"{path.name} names a package twice", "drop one of the two")
    return tuple(sorted(packages, key=lambda package: package.folder.encode()))
