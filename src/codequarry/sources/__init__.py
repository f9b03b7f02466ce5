"""What a project consists of: its eligible files, ignore rules, languages, hashes."""
