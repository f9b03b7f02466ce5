"""The language map."""

import pytest

from codequarry.sources.languages import UNKNOWN, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.go", "go"),
        ("a.PYI", "python"),
        ("x.c++", "cpp"),
        ("x.h", "c"),
        ("x.cuh", "cuda"),
        ("x.mts", "typescript"),
        ("x.jsx", "javascript"),
        ("x.tf.json", "terraform"),
        ("dir/X.TFVARS.JSON", "terraform"),
        ("x.json", "json"),
        ("x.sass", "css"),
        ("x.cshtml", "razor"),
        ("Makefile", "shell"),
        ("sub/GNUmakefile", "shell"),
        ("Dockerfile", "shell"),
        ("Dockerfile.prod", "shell"),
        ("Dockerfile.py", "python"),
        ("Jenkinsfile", "shell"),
        ("bashrc", "shell"),
        (".bashrc", UNKNOWN),
        ("go", UNKNOWN),
        ("a.py/readme", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_language_follows_the_map(path: str, language: str) -> None:
    """Suffix pairs come first, then extensions, then names, without regard to case (D5)."""
    assert language_of(path) == language
