"""Symbols that a framework finds by the place of their file."""

import pytest

from codequarry.retrieval.structure.placed import is_placed
from codequarry.retrieval.structure.symbols import Symbol


@pytest.mark.parametrize(
    ("path", "name", "placed"),
    [
        ("pages/index.tsx", "Home", True),
        ("src/pages/api/users.ts", "handler", True),
        ("src/subpages/index.tsx", "Home", False),
        ("app/shop/page.tsx", "Shop", True),
        ("app/shop/price.tsx", "price", False),
        ("src/routes/+page.server.ts", "load", True),
        ("vite.config.ts", "settings", True),
        ("src/config.ts", "settings", False),
        ("src/Button.stories.tsx", "Primary", True),
        ("src/middleware.ts", "middleware", True),
        ("alembic/versions/1_init.py", "upgrade", True),
        ("alembic/versions/1_init.py", "helper", False),
        ("site/wsgi.py", "application", True),
        ("tests/conftest.py", "anything", True),
        ("app/controllers/users_controller.rb", "show", True),
        ("app/models/user.rb", "show", False),
        ("db/migrate/1_init.rb", "change", True),
        ("pages/style.css", "Home", False),
    ],
)
def test_places(path: str, name: str, placed: bool) -> None:
    """The folder, the file's name and sometimes the symbol's say so; the language has to fit."""
    assert is_placed(Symbol(1, "p", path, name, name, "function")) == placed
