"""The stored index: LanceDB tables, the ledger's rows, and the one moment of publication."""
