"""How the house model is made: packages, pairs, weights, figures (retrieval.md 2.1 to 2.3)."""
