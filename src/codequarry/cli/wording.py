"""How texts of a project are put before a person."""

import re

_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    """Spell out control characters but tabs: a project's text must not steer a terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
