"""What a framework calls for the place of its file: a page, a route, a migration."""

import re
from typing import Final

from codequarry.retrieval.structure.symbols import Symbol

_SCRIPT: Final = r"\.[cm]?[jt]sx?"
_APP: Final = (
    "page|layout|route|loading|error|global-error|not-found|template|default|sitemap|robots"
    "|manifest|icon|apple-icon|opengraph-image|twitter-image"
)
_PLACES = tuple(
    (re.compile(rf"{path}\Z"), re.compile(name))
    for path, name in (
        # Next.js, Nuxt, Remix, SvelteKit, Astro, Expo: routers that read folders.
        (rf"(?:^|/)(?:pages|routes)/.*{_SCRIPT}", r".*"),
        (rf"(?:^|/)app/(?:.*/)?(?:{_APP}|_layout|\+\w+){_SCRIPT}", r".*"),
        (rf"(?:^|/)\+(?:page|layout|server|error)\b.*{_SCRIPT}", r".*"),
        (rf"(?:^|/)(?:middleware|instrumentation|hooks\.(?:server|client)){_SCRIPT}", r".*"),
        # Vite, webpack, Jest, ESLint, Storybook, …
        (rf"\.(?:config|stories){_SCRIPT}", r".*"),
        # Alembic, Django's settings of a site, Sphinx, setuptools' hooks, pytest's plugins.
        (r"(?:^|/)versions/[^/]*\.py", r"upgrade|downgrade"),
        (r"(?:^|/)(?:wsgi|asgi|conf|noxfile)\.py", r"application|setup"),
        (r"(?:^|/)conftest\.py", r".*"),
        # Rails calls the actions of controllers, and what a migration says.
        (r"(?:^|/)app/(?:controllers|mailers|jobs|channels)/.*\.rb", r".*"),
        (r"(?:^|/)db/migrate/.*\.rb", r"up|down|change"),
    )
)


def is_placed(symbol: Symbol) -> bool:
    """Tell whether a framework may call a symbol because of where its file lies."""
    return any(path.search(symbol.path) and name.fullmatch(symbol.symbol) for path, name in _PLACES)
