"""The trees below are material to index; their own tests are not ours to run."""

collect_ignore_glob = ["*"]
