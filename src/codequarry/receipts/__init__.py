"""Proof of what is indexed: receipts and their lifecycle, the sidecar, the ledger, freshness."""
