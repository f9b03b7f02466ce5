"""Answers from the published index: candidates, ranking, hits."""
