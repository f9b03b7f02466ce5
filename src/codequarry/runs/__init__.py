"""The steps of one index run, as functions: each makes the changeset that one asset holds.

Effects on the index happen in `codequarry.receipts.attempt` alone; a step reads the changesets
before it and the working tree.
"""
