#!/usr/bin/env python3
"""A stand-in for an engine's MCP server on stdio; standard library only.

Its replies are the JSON file named by FAKE_REPLIES: tool to ``{"text", "structured", "is_error",
"rpc_error", "fault", "seconds"}``; the tools it lists are under ``"tools"`` and, on a second page,
``"later_tools"``, with a schema each. A journal of what it was asked is written to FAKE_JOURNAL.
"""

import json
import os
import subprocess
import sys
import time


def send(document):
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


def misbehave(fault):
    if fault == "half_frame":
        sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "resu')
        sys.stdout.flush()
        time.sleep(3600)
    if fault == "flood":
        for _ in range(2000):
            sys.stdout.write("INFO warming up\n" * 100)
    if fault == "endless_flood":
        while True:
            sys.stdout.write("INFO warming up\n" * 1000)
    if fault == "never":
        time.sleep(3600)
    if fault == "die":
        sys.exit(3)
    if fault == "huge":
        sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "result": "')
        for _ in range(50):
            sys.stdout.write("x" * 1024 * 1024)
        sys.stdout.write('"}\n')
        sys.stdout.flush()
    if fault == "garbage":
        sys.stdout.buffer.write(b'\x00\xff{"jsonrpc":\n[1,2\n{}\n')
        sys.stdout.flush()


def answer(message, replies):
    method, identity = message.get("method"), message.get("id")
    if method == "initialize":
        misbehave(replies.get("handshake_fault"))
        time.sleep(replies.get("start_seconds", 0))
        result = {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": replies.get("name", "fake"), "version": "9.9"},
        }
        send({"jsonrpc": "2.0", "id": identity, "result": result})
    elif method == "tools/list":
        later = (message.get("params") or {}).get("cursor") == "later"
        listed = replies.get("later_tools" if later else "tools", {})
        result = {"tools": [{"name": name, "inputSchema": listed[name]} for name in listed]}
        if "later_tools" in replies and not later:
            result["nextCursor"] = "later"
        send({"jsonrpc": "2.0", "id": identity, "result": result})
    elif method == "tools/call":
        call(message, replies)


def call(message, replies):
    name, identity = message["params"]["name"], message["id"]
    if journal := os.environ.get("FAKE_JOURNAL"):
        with open(journal, "a", encoding="utf-8") as handle:
            kept = {"HOME": os.environ.get("HOME"), "SECRET": os.environ.get("SECRET")}
            entry = {"pid": os.getpid(), "tool": name, "env": kept, "cwd": os.getcwd()}
            print(json.dumps(entry | {"arguments": message["params"]["arguments"]}), file=handle)
    reply = replies["calls"].get(name, {"rpc_error": f"Unknown tool: {name}"})
    misbehave(reply.get("fault"))
    time.sleep(reply.get("seconds", 0))
    if "rpc_error" in reply:
        error = {"code": -32602, "message": reply["rpc_error"]}
        send({"jsonrpc": "2.0", "id": identity, "error": error})
        return
    text = reply.get("text", "")
    result = {"content": [{"type": "text", "text": text}], "isError": reply.get("is_error", False)}
    if "structured" in reply:
        result["structuredContent"] = reply["structured"]
    send({"jsonrpc": "2.0", "id": identity, "result": result})


def main():
    if sys.argv[1:] == ["--version"]:
        print(os.environ.get("FAKE_VERSION", "fake 1.2.3"))
        return
    with open(os.environ["FAKE_REPLIES"], encoding="utf-8") as handle:
        replies = json.load(handle)
    if replies.get("grandchild"):
        code = "import time; time.sleep(3600)"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.DEVNULL)
        with open(replies["grandchild"], "w", encoding="utf-8") as handle:
            handle.write(str(child.pid))
    for line in sys.stdin:
        answer(json.loads(line), replies)


if __name__ == "__main__":
    main()
