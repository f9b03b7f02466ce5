"""Agent memory: what agents noted, recalled by meaning, tags and use (contract.md G)."""
