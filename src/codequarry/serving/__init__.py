"""Servers for agents: MCP over stdio and HTTP."""
