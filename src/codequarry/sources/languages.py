"""The language of a file, told from its path alone (contract.md D5)."""

from typing import Final

from codequarry.core.errors import UsageError

UNKNOWN: Final = "unknown"

_EXTENSIONS: Final = {
    extension: language
    for language, extensions in {
        "go": "go",
        "python": "py pyw pyi",
        "javascript": "js mjs cjs jsx",
        "typescript": "ts tsx mts cts",
        "vue": "vue",
        "rust": "rs",
        "java": "java",
        "kotlin": "kt kts",
        "scala": "scala",
        "c": "c h",
        "cpp": "cpp cc cxx c++ hh hpp hxx ipp tpp",
        "cuda": "cu cuh",
        "csharp": "cs csx",
        "visualbasic": "vb",
        "ruby": "rb",
        "php": "php phtml",
        "dart": "dart",
        "swift": "swift",
        "lua": "lua",
        "elixir": "ex exs",
        "svelte": "svelte",
        "astro": "astro",
        "razor": "razor cshtml vbhtml",
        "shell": "sh bash zsh ksh fish",
        "hcl": "hcl",
        "terraform": "tf tfvars",
        "sql": "sql",
        "markdown": "md",
        "json": "json",
        "yaml": "yaml yml",
        "toml": "toml",
        "html": "html htm",
        "css": "css scss sass less",
    }.items()
    for extension in extensions.split()
}
_SHELL_LIKE: Final = {"makefile", "gnumakefile", "dockerfile", "jenkinsfile"}


LANGUAGES: Final = frozenset({*_EXTENSIONS.values(), UNKNOWN})
"""Every language id."""


def language_named(name: str) -> str:
    """Give the language that a person names, by its id or by an extension of its files.

    Raises:
        UsageError: There is no such language.
    """
    wanted = name.strip().lower().removeprefix(".")
    found = wanted if wanted in LANGUAGES else _EXTENSIONS.get(wanted)
    if found is None:
        raise UsageError(
            f"there is no language {name[:40]!r}", f"use one of {', '.join(sorted(LANGUAGES))}"
        )
    return found


def language_of(path: str) -> str:
    """Give the language of ``path``, or ``"unknown"`` (contract.md D5).

    Args:
        path: Project-relative, with ``/``; letter case does not matter.
    """
    # What ends in a known extension, lower-cased already, needs no closer look; most files do.
    _, dot, ending = path.rpartition(".")
    known = _EXTENSIONS.get(ending)
    if dot and known and known != "json":
        return known
    name = path.rpartition("/")[2].lower()
    _, dot, extension = name.rpartition(".")
    if dot and extension in _EXTENSIONS:
        is_terraform = extension == "json" and name.endswith((".tfvars.json", ".tf.json"))
        return "terraform" if is_terraform else _EXTENSIONS[extension]
    if name in _SHELL_LIKE or name.startswith("dockerfile."):
        return "shell"
    return "shell" if name.endswith("rc") and not dot else UNKNOWN
