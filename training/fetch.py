"""Archives of training packages, by the ordinary client of each registry."""

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from codequarry.core.errors import UsageError
from codequarry.core.process import run
from training.packages import Package

_SECONDS = 600.0
_OUTPUT = 1 << 20
_SUFFIXES = {"pypi": ".whl", "npm": ".tgz", "debian": ".deb", "maven": "-sources.jar"}
# Given by name, pip does not take one spelling of a platform for the other.
_PLATFORMS = tuple(
    f"--platform={name}_x86_64"
    for name in ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
)


def fetch(package: Package, cache: Path) -> Path:
    """Give a package's archive, from the cache or from its registry.

    Args:
        package: What to fetch.
        cache: Where archives of earlier runs lie.

    Raises:
        UsageError: The client has no such version, or gave other bytes than those pinned.
    """
    archive = cache / f"{package.folder}-{package.version.replace(':', '+')}{suffix_of(package)}"
    if not archive.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            _download(package, Path(folder)).rename(archive)
    with archive.open("rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if found != package.sha256:
        raise UsageError(
            f"{archive.name} is not the archive that the pinned hash belongs to",
            "delete it and run again; if it comes again, choose a version anew in packages.json",
        )
    return archive


def suffix_of(package: Package) -> str:
    """Give the suffix that tells how to unpack the package's archive."""
    return ".jar" if package.registry == "maven" else _SUFFIXES[package.registry]


def command_of(package: Package, folder: Path) -> list[str]:
    """Give the argument list that downloads a package below ``folder``, its working directory."""
    if package.registry == "pypi":
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest=."]
        wheels = ["--only-binary=:all:", "--python-version=3.11", *_PLATFORMS, "--platform=any"]
        return [*pip, *wheels, f"{package.name}=={package.version}"]
    if package.registry == "npm":
        return ["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"]
    if package.registry == "debian":
        return ["apt-get", "download", "--quiet", f"{package.name}={package.version}"]
    artifact = f"-Dartifact={package.name}:{package.version}:jar:sources"
    local = f"-Dmaven.repo.local={folder.parent / 'maven'}"
    return ["mvn", "--quiet", "-B", "dependency:get", "-Dtransitive=false", local, artifact]


def _download(package: Package, folder: Path) -> Path:
    """Run the client; give the one archive that it left."""
    argv = command_of(package, folder.resolve())
    if shutil.which(argv[0]) is None:
        raise UsageError(f"{argv[0]} is not installed", f"install it: {package.name} comes by it")
    done = run(argv, folder, _SECONDS, _OUTPUT)
    if package.registry == "maven":
        group, _, artifact = package.name.partition(":")
        jar = f"{artifact}-{package.version}-sources.jar"
        place = folder.resolve().parent / "maven" / group.replace(".", "/")
        found = [place / artifact / package.version / jar]
    else:
        found = sorted(folder.glob(f"*{_SUFFIXES[package.registry]}"))
    if done.returncode or len(found) != 1 or not found[0].is_file():
        raise UsageError(
            f"{package.registry} gave no {package.name} {package.version}",
            "choose a version that is there, with its hash, in packages.json",
        )
    return found[0]
