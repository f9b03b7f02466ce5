"""Ignore rules against git itself."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from codequarry.sources.ignore import (
    DEFAULT_PATTERNS,
    Rules,
    is_ignored,
    parse,
    read_rules,
    rules_above,
)
from codequarry.sources.walk import WalkOptions, inventory

TRICKY = {
    ".gitignore": b"*.log\n!keep.log\n/rooted\nonly_dir/\na/**/z\n**/deep\ntail/**\n# comment\n"
    b"\\#hash\n\\!bang\ntrail  \nspace\\ \n[ab]x\n[!c]y\nfoo**/bar\nq?q\nexcluded/\n"
    b"!excluded/inside\ncr\r\n[[:digit:]]n\n[]-a]w\nend\\\n[open\nx\\*y\n/\n//\n!\n",
    ".git/info/exclude": b"*.secret\n!kept.log\n",
    "sub/.gitignore": b"!*.log\n/here\nsub2/file\n",
    "sub/sub2/.gitignore": b"*.log\n",
    **dict.fromkeys(
        [
            "x.log",
            "keep.log",
            "kept.log",
            "rooted",
            "sub/rooted",
            "only_dir/f",
            "sub/only_dir/f",
            "other/only_dir",
            "a/z",
            "a/b/z",
            "a/b/c/z",
            "deep",
            "sub/deep/f",
            "tail/one",
            "tail/two/three",
            "#hash",
            "!bang",
            "trail",
            "space ",
            "ax",
            "bx",
            "cy",
            "dy",
            "foox/y/bar",
            "foobar",
            "sub/foo/bar",
            "qxq",
            "q/q",
            "excluded/inside",
            "excluded/outside",
            "cr",
            "1n",
            "]w",
            "-w",
            "end\\",
            "[open",
            "x*y",
            "xzy",
            "sub/x.log",
            "sub/here",
            "sub/sub2/here",
            "sub/sub2/file",
            "sub/sub2/x.log",
            "one.secret",
            "sub/two.secret",
            "line\nbreak.log",
            "line\nbreak",
        ],
        b"text\n",
    ),
}


def git(root: Path, *arguments: str, feed: bytes = b"") -> bytes:
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "XDG_CONFIG_HOME": os.devnull,
        "HOME": os.devnull,
    }
    done = subprocess.run(
        ["git", "-C", str(root), *arguments],
        input=feed,
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def plant(root: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def ignored_by_git(root: Path, paths: list[bytes]) -> set[bytes]:
    feed = b"".join(path + b"\0" for path in paths)
    return set(git(root, "check-ignore", "--stdin", "-z", "--no-index", feed=feed).split(b"\0"))


def seen(root: Path) -> set[bytes]:
    options = WalkOptions(ignore=())
    return set(inventory(root, options).files["os_path"].to_pylist())


def test_tricky_tree_agrees_with_git(tmp_path: Path) -> None:
    """Over a tree of every rule of the manual, what is indexed is what git does not ignore."""
    git(tmp_path, "init", "-q", ".")
    plant(tmp_path, TRICKY)
    paths = [os.fsencode(name) for name in TRICKY if not name.startswith(".git/")]
    expected = {path for path in paths if path not in ignored_by_git(tmp_path, paths)}
    assert seen(tmp_path) == expected
    assert len(expected) < len(paths)


NAME = st.text("ab.[]", min_size=1, max_size=3).filter(lambda name: name.strip(".") != "")
PATTERN = st.text("ab.*?[]!-^\\/ #:", min_size=1, max_size=8)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    tops=st.lists(PATTERN, max_size=6),
    subs=st.lists(PATTERN, max_size=4),
    files=st.lists(st.lists(NAME, min_size=1, max_size=3).map("/".join), max_size=12),
)
@example(tops=["[[:alpha:]]", "![[:a", "a/**/b"], subs=["[::]"], files=["a", "a/b", "b/a/b"])
@example(tops=["a//", "a**b/", "**/", "b/**"], subs=["!*"], files=["a/a", "b/a", "ab/b", "b"])
def test_random_rules_agree_with_git(
    tmp_path_factory: pytest.TempPathFactory, tops: list[str], subs: list[str], files: list[str]
) -> None:
    """Over random rules and trees, the two agree on every path."""
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q", ".")
    plant(root, {"a/.gitignore": "\n".join(subs).encode(), ".gitignore": "\n".join(tops).encode()})
    for name in files:
        try:
            plant(root, {name: b"text\n"})
        except (FileExistsError, IsADirectoryError, NotADirectoryError):
            continue
    paths = [
        os.path.relpath(os.path.join(folder, name), os.fsencode(root))
        for folder, folders, names in os.walk(os.fsencode(root))
        for name in names
        if b"/.git/" not in folder + b"/"
    ]
    ignored = ignored_by_git(root, paths)
    blank = {path for path in paths if not (root / os.fsdecode(path)).read_bytes().strip()}
    assert seen(root) == {path for path in paths if path not in ignored} - blank


def test_own_ignore_files_win_over_gitignore(tmp_path: Path) -> None:
    """A .codequarryignore re-includes what .gitignore and the defaults leave out."""
    plant(
        tmp_path,
        {
            ".gitignore": b"*.gen\n",
            ".vecgrepignore": b"*.tmp\n",
            ".codequarryignore": b"!one.gen\n!yarn.lock\n",
            "one.gen": b"x",
            "two.gen": b"x",
            "three.tmp": b"x",
            "yarn.lock": b"x",
            "poetry.lock": b"x",
            "deep/node_modules/m.js": b"x",
        },
    )
    kept = inventory(tmp_path).files["path"].to_pylist()
    assert [path for path in kept if not path.startswith(".")] == ["one.gen", "yarn.lock"]


def test_rules_of_the_repository_above_hold(tmp_path: Path) -> None:
    """A project that is a folder of a repository obeys that repository's rules."""
    git(tmp_path, "init", "-q", ".")
    plant(
        tmp_path,
        {
            ".gitignore": b"*.key2\n/pkg/app/out\nbuild/\n",
            "pkg/app/a.key2": b"x",
            "pkg/app/out/b": b"x",
            "pkg/app/c": b"x",
            "build/d.key2": b"x",
        },
    )
    assert seen(tmp_path / "pkg/app") == {b"c"}
    assert len(rules_above(os.fsencode(tmp_path / "pkg/app"))) == 1
    assert seen(tmp_path / "build") == {b"d.key2"}, "a root that is itself ignored was asked for"


def test_worktree_reads_the_common_exclude_file(tmp_path: Path) -> None:
    """A .git file leads to the repository's info/exclude."""
    plant(
        tmp_path,
        {
            "main/.git/info/exclude": b"*.mine\n",
            "main/.git/worktrees/w/commondir": b"../..\n",
            "w/.git": b"gitdir: ../main/.git/worktrees/w\n",
            "w/a.mine": b"x",
            "w/b": b"x",
        },
    )
    assert seen(tmp_path / "w") == {b"b"}


def test_ignore_file_that_is_no_file_is_passed_over(tmp_path: Path) -> None:
    """A symlinked or special ignore file is not read, as git does, and never blocks."""
    os.mkfifo(tmp_path / ".vecgrepignore")
    plant(tmp_path, {"rules": b"*\n"})
    (tmp_path / ".gitignore").symlink_to("rules")
    names = [os.fsencode(name) for name in os.listdir(tmp_path)]
    assert read_rules(os.fsencode(tmp_path), b"", names) == (None, 0)


def test_hostile_pattern_is_decided_at_once() -> None:
    """A pattern of many stars takes polynomial time on a long name."""
    chain = [Rules(b"", parse(b"*a" * 60 + b"b\n" + b"**/a*/" * 30 + b"b\n"))]
    assert not is_ignored(chain, b"a" * 250, False)
    assert not is_ignored(chain, b"a/" * 2000 + b"c", False)


def test_defaults_are_patterns() -> None:
    """Every default pattern compiles."""
    assert len(parse("\n".join(DEFAULT_PATTERNS).encode())) == len(DEFAULT_PATTERNS)
