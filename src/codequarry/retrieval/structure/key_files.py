"""The files of a project to read first, told from their names."""

import re
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

_README: Final = re.compile(
    r"(^|/)(readme|contributing|changelog|license|architecture)(\.[^/]*)?$", re.IGNORECASE
)
_BUILD: Final = re.compile(
    r"(^|/)(pyproject\.toml|setup\.(py|cfg)|requirements[^/]*\.txt|package\.json|go\.(mod|work)"
    r"|Cargo\.toml|pom\.xml|(build|settings)\.gradle(\.kts)?|build\.sbt|CMakeLists\.txt"
    r"|(GNUm|M|m)akefile|meson\.build|[^/]+\.(csproj|sln|gemspec)|Gemfile|composer\.json|mix\.exs"
    r"|Package\.swift|pubspec\.yaml|(MODULE|BUILD|WORKSPACE)(\.bazel)?)$"
)
_CONFIGURATION: Final = re.compile(
    r"(^|/)(Dockerfile[^/]*|(docker-)?compose[^/]*\.ya?ml|tsconfig[^/]*\.json|tox\.ini|ruff\.toml"
    r"|mypy\.ini|pytest\.ini|Jenkinsfile|\.gitlab-ci\.yml|\.pre-commit-config\.yaml"
    r"|[^/]+\.config\.[cm]?[jt]s|\.github/workflows/[^/]+\.ya?ml|workspace\.yaml)$"
)

Role = Literal["document", "build", "configuration"]
_ROLES: Final[tuple[tuple[Role, re.Pattern[str]], ...]] = (
    ("document", _README),
    ("build", _BUILD),
    ("configuration", _CONFIGURATION),
)


class KeyFile(msgspec.Struct, frozen=True):
    """A file to read first, and why: a document, how it is built, or its configuration."""

    path: str
    role: Role


def key_files_of(paths: Iterable[str]) -> list[KeyFile]:
    """Pick key files: the shallowest first, then documents, build, configuration, then by path."""
    ranked = []
    for path in paths:
        for rank, (role, pattern) in enumerate(_ROLES):
            if pattern.search(path):
                ranked.append((path.count("/"), rank, path.encode(), KeyFile(path, role)))
                break
    return [key_file for _, _, _, key_file in sorted(ranked, key=lambda one: one[:3])]
