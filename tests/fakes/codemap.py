#!/usr/bin/env python3
"""A stand-in for the codemap binary: serves a tree, and misbehaves on demand.

It shares no code with codequarry, so that what both compute agrees only when both follow the
contract. The scenario is the JSON file beside it, or the one FAKE_CODEMAP_SCENARIO names; its keys
are those of ``fakes.Scenario``.
"""

import argparse
import hashlib
import json
import os
import posixpath
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.environ.get("FAKE_CODEMAP_SCENARIO", os.path.join(HERE, "scenario.json"))
DECLARATION = re.compile(r"^(?:export |async |pub )*(def|class|func|function|fn)\s+(\w+)")
KINDS = {"class": "class"}
LANGUAGES = {"py": "python", "go": "go", "js": "javascript", "rs": "rust"}
HASHED = "file start_line end_line symbol fqn kind language signature docstring source_hash"
ORDER = "file start_line end_line fqn kind symbol language signature docstring source_hash"
FAULTS_PER_PAGE = ("hang", "garbage", "flood", "die", "quiet_death")


def sha256(text):
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def repair(raw):
    return re.sub("[\udc80-\udcff]+", "\ufffd", raw.decode("utf-8", "surrogateescape"))


def clip(text, limit):
    raw = text.encode()
    return (text, False) if len(raw) <= limit else (raw[:limit].decode("utf-8", "ignore"), True)


def scan(root):
    """Every unindented declaration of the tree, up to the next one."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            language = LANGUAGES.get(name.rpartition(".")[2])
            if language and os.path.isfile(path):
                relative = os.path.relpath(path, root)
                with open(path, "rb") as handle:
                    yield from declarations(relative, language, repair(handle.read()))


def declarations(file, language, text):
    lines = text.split("\n")
    found = [(n, m) for n, line in enumerate(lines, 1) if (m := DECLARATION.match(line))]
    for position, (start, match) in enumerate(found):
        end = found[position + 1][0] - 1 if position + 1 < len(found) else len(lines)
        while end > start and not lines[end - 1].strip():
            end -= 1
        yield {
            "file": file,
            "start_line": start,
            "end_line": end,
            "symbol": match[2],
            "fqn": f"{os.path.splitext(file)[0].replace('/', '.')}.{match[2]}",
            "kind": KINDS.get(match[1], "function"),
            "language": language,
            "signature": lines[start - 1].rstrip(" {:"),
            "docstring": "",
            "source_hash": sha256("\n".join(lines[start - 1 : end])),
        }


def fingerprint(key, records):
    fields = ["codemap-structural-export-v1", key]
    fields += [str(record[name]) for record in records for name in HASHED.split()]
    return sha256("".join(f"{field}\0" for field in fields))


def filter_fingerprint(files):
    return sha256("".join(f"{f}\0" for f in ["codemap-structural-export-filter-v2", *files]))


class Index:
    def __init__(self, root, scenario):
        self.root = root
        self.project = scenario.get("project", os.path.basename(root))
        self.key = hashlib.sha1(os.fsencode(os.path.realpath(root))).hexdigest()[:12]
        records = scenario["records"] if "records" in scenario else list(scan(root))
        self.records = sorted(
            records,
            key=lambda r: [
                v.encode() if isinstance(v, str) else v for v in map(r.get, ORDER.split())
            ],
        )
        self.fingerprint = fingerprint(self.key, self.records)

    def content(self, record):
        try:
            with open(os.path.join(self.root, record["file"]), "rb") as handle:
                raw = handle.read()
        except OSError:
            return None
        return repair(b"\n".join(raw.split(b"\n")[record["start_line"] - 1 : record["end_line"]]))


def emit_record(index, record, version, ordinal, window):
    signature, signature_cut = clip(record["signature"], window)
    docstring, docstring_cut = clip(record["docstring"], window)
    emitted = {
        "schema_version": version,
        "ordinal": ordinal,
        "project": index.project,
        "project_key": index.key,
        "index_fingerprint": index.fingerprint,
        **{name: record[name] for name in ("file", "start_line", "end_line", "symbol", "fqn")},
        **{name: record[name] for name in ("kind", "language")},
        "signature": signature,
        "docstring": docstring,
        "source_hash": record["source_hash"],
        "content": "",
    }
    text = index.content(record)
    if text is not None:
        emitted["content"], cut = clip(text, window)
        emitted["content_hash"] = sha256(text)
    flags = {"signature_truncated": signature_cut, "docstring_truncated": docstring_cut}
    flags["content_truncated"] = text is not None and cut
    emitted.update({name: True for name, value in flags.items() if value})
    if text is None:
        emitted |= {"content_omitted": True, "omission_reason": "file_missing", "file_stale": True}
    return emitted


def normalise(lines):
    files = set()
    for line in lines:
        path = line.strip().replace("\\", "/")
        if path:
            files.add(posixpath.normpath(path))
    return sorted(files, key=str.encode)


def export(index, options, scenario):
    files = None
    if options.files_from:
        with open(options.files_from, encoding="utf-8") as handle:
            files = normalise(handle.read().split("\n")) or None
    if scenario.get("fault") == "ignores_filter":
        files = None
    version = 1 if files is None else 2
    chosen = [r for r in index.records if files is None or r["file"] in files]
    part = chosen[options.offset : options.offset + options.limit]
    emitted = [
        emit_record(index, record, version, options.offset + n, options.max_content_bytes)
        for n, record in enumerate(part, 1)
    ]
    end = options.offset + len(part)
    page = {
        "schema_version": version,
        "project": index.project,
        "project_key": index.key,
        "index_fingerprint": index.fingerprint,
        "offset": options.offset,
        "limit": options.limit,
        "max_content_bytes": options.max_content_bytes,
        "total_records": len(chosen),
        "returned_records": len(part),
        "complete": end >= len(chosen),
    }
    if end < len(chosen):
        page["next_offset"] = end
    page["records"] = emitted
    if files is not None:
        page |= {"files_filter": files, "files_filter_fingerprint": filter_fingerprint(files)}
    return lie(page, options, scenario)


def lie(page, options, scenario):
    number = options.offset // options.limit
    if number in scenario.get("only_pages", [number]):
        page.update(scenario.get("page_patch", {}))
    for record in page["records"]:
        if scenario.get("fault") == "no_ordinals":
            del record["ordinal"]
        elif record["ordinal"] in scenario.get("only_ordinals", [record["ordinal"]]):
            record.update(scenario.get("record_patch", {}))
    if moved(scenario, number):
        page["index_fingerprint"] = "f" * 64
        for record in page["records"]:
            record["index_fingerprint"] = "f" * 64
    return page


def moved(scenario, number):
    """Whether the index changes under the reader: on the second page, once or every time."""
    fault = scenario.get("fault")
    if number != 1 or fault not in ("changes_once", "changes_always"):
        return False
    done = SCENARIO + ".changed"
    if fault == "changes_once" and os.path.exists(done):
        return False
    open(done, "w").close()
    return True


def manifest(index, scenario):
    document = {
        "schema_version": 1,
        "export_schema_version": 1,
        "project": index.project,
        "project_key": index.key,
        "index_fingerprint": index.fingerprint,
        "total_records": len(index.records),
        "complete": True,
        "freshness": {"checked": True, "fresh": True, "changed": 0, "new": 0, "deleted": 0},
    }
    return document | scenario.get("manifest_patch", {})


def misbehave(fault):
    if fault == "hang":
        time.sleep(3600)
    if fault == "grandchild":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    if fault == "garbage":
        sys.stdout.buffer.write(b"\x00\xff{]" * 5000)
        sys.exit(0)
    if fault == "flood":
        for _ in range(100):
            sys.stdout.buffer.write(b" " * 1024 * 1024)
        sys.exit(0)
    if fault == "die":
        sys.stdout.write('{"schema_version": 1, "records": [{"content": "secret source"')
        sys.stderr.write("panic: index vanished\n")
        sys.exit(1)
    if fault == "quiet_death":
        sys.exit(1)
    if fault == "old_not_indexed":
        print('{"project": "demo", "indexed": false}')
        sys.exit(0)
    if fault == "not_indexed":
        fail("project demo is not indexed yet", "not_indexed", "run: codemap index", 2)


def fail(error, code, hint, status):
    print(json.dumps({"ok": False, "error": error, "code": code, "hint": hint}, indent=2))
    sys.exit(status)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="codemap")
    commands = parser.add_subparsers(dest="command", required=True)
    symbols = commands.add_parser("export-symbols")
    symbols.add_argument("--json", action="store_true", required=True)
    symbols.add_argument("--offset", type=int, default=0)
    symbols.add_argument("--limit", type=int, default=1000)
    symbols.add_argument("--max-content-bytes", type=int, default=16384)
    symbols.add_argument("--files-from")
    commands.add_parser("structural-manifest").add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def main():
    with open(SCENARIO, encoding="utf-8") as handle:
        scenario = json.load(handle)
    options = parse(sys.argv[1:])
    if "journal" in scenario:
        with open(scenario["journal"], "a", encoding="utf-8") as handle:
            print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd()}), file=handle)
    number = options.offset // options.limit if options.command == "export-symbols" else 0
    if scenario.get("fault") not in FAULTS_PER_PAGE or number in scenario.get(
        "only_pages", [number]
    ):
        misbehave(scenario.get("fault"))
    index = Index(os.getcwd(), scenario)
    export_wanted = options.command == "export-symbols"
    document = export(index, options, scenario) if export_wanted else manifest(index, scenario)
    # As Go's encoder: two spaces a level, no HTML escapes, one newline.
    print(json.dumps(document, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
