"""Objects and relations of SQL files; nothing is ever executed."""
