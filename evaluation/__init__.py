"""``python -m evaluation``: how well and how fast searches answer labelled questions."""
