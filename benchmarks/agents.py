"""``python -m benchmarks.agents``: our MCP server beside the library it answers from."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmarks.delta import plant
from benchmarks.measured import measure
from codequarry.core.state import StateDirectory
from codequarry.serving.catalogue import TOOLS
from codequarry.serving.deployment import Deployment

COMMAND = str(Path(sys.executable).with_name("codequarry"))
CALLS = 30
ASKED: dict[str, dict[str, Any]] = {
    "code_search": {"query": "give the balance of an account"},
    "code_context": {"symbol": "part_000/module_00007.py:6"},
    "code_status": {},
}


def main(files: int = 1_000) -> None:
    """Measure and print a Markdown report."""
    with tempfile.TemporaryDirectory(prefix="codequarry-agents-") as folder:
        tree, home = Path(folder) / "tree", Path(folder) / "home"
        plant(tree, files)
        measure([COMMAND, "index", "."], tree, {"CODEQUARRY_HOME": str(home)})
        library = _library(StateDirectory(home), tree)
        first, served = anyio.run(_served, tree, home)
        print(f"| tool, {files:,} files | library ms | over MCP ms | added ms |")
        print("|---|---|---|---|")
        for name in ASKED:
            added = served[name] - library[name]
            print(f"| {name} | {library[name]:.1f} | {served[name]:.1f} | {added:.1f} |")
        print(f"\nStart to first answer: {first:.2f} s.")


def _library(state: StateDirectory, tree: Path) -> dict[str, float]:
    deployment = Deployment(state, tree)
    tools = {tool.name: tool for tool in TOOLS}
    return {
        name: _median(partial(tools[name].call, deployment, given)) for name, given in ASKED.items()
    }


def _median(call: Callable[[], Any]) -> float:
    call()
    taken = []
    for _ in range(CALLS):
        began = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - began))
    return statistics.median(taken)


async def _served(tree: Path, home: Path) -> tuple[float, dict[str, float]]:
    began = time.perf_counter()
    environment = {**os.environ, "CODEQUARRY_HOME": str(home)}
    server = StdioServerParameters(
        command=COMMAND, args=["serve", "mcp"], env=environment, cwd=tree
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        await session.call_tool("code_search", ASKED["code_search"])
        first = time.perf_counter() - began
        medians = {}
        for name, given in ASKED.items():
            taken = []
            for _ in range(CALLS + 1):
                asked = time.perf_counter()
                await session.call_tool(name, given)
                taken.append(1e3 * (time.perf_counter() - asked))
            medians[name] = statistics.median(taken[1:])
        return first, medians


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
