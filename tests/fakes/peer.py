#!/usr/bin/env python3
"""A stand-in for a codemap that is asked: answers each command as a scenario says (A5 to A10).

As a program it reads ``answers.json`` beside itself: per command the document to print, the exit
status and a fault. It shares no code with codequarry.
"""

import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Literal, TypedDict

NOT_FOUND = {"ok": False, "error": "no such symbol", "code": "not_found", "hint": "codemap find"}
NOT_INDEXED = {"ok": False, "error": "demo is not indexed", "code": "not_indexed"}


class Said(TypedDict, total=False):
    """What one command does.

    Args:
        document: What it prints as JSON.
        status: Its exit status, 0 when absent.
        fault: What it does instead.
    """

    document: Any
    status: int
    fault: Literal["hang", "garbage", "flood", "die", "silence"]


def install_peer(folder: Path, answers: dict[str, Said]) -> Path:
    """Install the fake as ``<folder>/peer-bin/codemap``; other commands are usage errors."""
    home = folder / "peer-bin"
    home.mkdir(exist_ok=True)
    (home / "answers.json").write_text(json.dumps(answers))
    (home / "calls.jsonl").unlink(missing_ok=True)
    binary = home / "codemap"
    shutil.copy(__file__, binary)
    binary.chmod(0o755)
    return binary


def calls(binary: Path) -> list[list[str]]:
    """Give the argument lists of the calls so far; each ran in the project's root."""
    journal = binary.with_name("calls.jsonl")
    lines = journal.read_text().split("\n")[:-1] if journal.exists() else []
    return [json.loads(line)["argv"] for line in lines]


def places(binary: Path) -> set[str]:
    """Give the working directories of the calls so far."""
    lines = binary.with_name("calls.jsonl").read_text().split("\n")[:-1]
    return {json.loads(line)["cwd"] for line in lines}


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "answers.json"), encoding="utf-8") as handle:
        said = json.load(handle).get(sys.argv[1])
    with open(os.path.join(here, "calls.jsonl"), "a", encoding="utf-8") as handle:
        print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd()}), file=handle)
    if said is None:
        sys.stderr.write("unknown command\n")
        sys.exit(1)
    fault = said.get("fault")
    if fault == "hang":
        time.sleep(3600)
    if fault == "garbage":
        sys.stdout.buffer.write(b"\x00\xff{]" * 50)
    if fault == "flood":
        for _ in range(100):
            sys.stdout.buffer.write(b" " * 1024 * 1024)
    if fault == "die":
        sys.stdout.write('{"symbol": "secret source')
        sys.stderr.write("panic: graph vanished\n")
        sys.exit(1)
    if "document" in said:
        print(json.dumps(said["document"], indent=2, ensure_ascii=False))
    sys.exit(said.get("status", 0))


if __name__ == "__main__":
    main()
