"""What agents remember across sessions and projects (contract.md G)."""
