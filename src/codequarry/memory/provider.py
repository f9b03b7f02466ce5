"""The embedding model as the memory uses it: made when first needed, and known to be there.

An agent waits for a recall three seconds at most (contract.md A12), and a request to a dead server
is tried for longer. So the server is knocked at first, and again after a failure (contract.md G5).
"""

import contextlib
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from codequarry.core.errors import EmbeddingError, ProviderUnavailable
from codequarry.embedding.provider import Embedder
from codequarry.embedding.settings import EmbeddingSettings, make_embedder

KNOCK_SECONDS = 1.0

_PORTS = {"http": 80, "https": 443}


@contextlib.contextmanager
def reachable_model(settings: EmbeddingSettings) -> Iterator[Embedder]:
    """Open the model that the settings name, for a block.

    Raises:
        ProviderUnavailable: Its server cannot be reached, before or after a failure in the block.
        EmbeddingError: It failed otherwise.
    """
    require_reachable(settings.base_url)
    embedder = make_embedder(settings)
    try:
        yield embedder
    except EmbeddingError:
        require_reachable(settings.base_url)
        raise
    finally:
        embedder.close()


def require_reachable(base_url: str) -> None:
    """Make sure that something listens at an address; an empty one needs nobody.

    Where a proxy stands between, only the proxy can know, and nothing is tried.

    Raises:
        ProviderUnavailable: Nothing listens there.
    """
    parts = urlsplit(base_url)
    host = parts.hostname
    if not host or _proxied(parts.scheme, host):
        return
    try:
        address = (host, parts.port or _PORTS[parts.scheme])
        socket.create_connection(address, timeout=KNOCK_SECONDS).close()
    except OSError as error:
        raise ProviderUnavailable(
            f"the embedding server {host} cannot be reached",
            "start it, or set CODEQUARRY_EMBEDDING_BASE_URL",
        ) from error


def _proxied(scheme: str, host: str) -> bool:
    from urllib.request import getproxies, proxy_bypass  # a recall with the bundled model pays not

    proxies = getproxies()
    return (scheme in proxies or "all" in proxies) and not proxy_bypass(host)
