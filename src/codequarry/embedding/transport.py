"""One POST of JSON to an embedding server: bounded, retried, never redirected.

Messages name the server and the status, and nothing of the texts, the answer or the key.
"""

import email.utils
import time
import weakref
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx
import tenacity

from codequarry.core.errors import EmbeddingError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SPLITTABLE = (400, 413, 422)
_RETRIED = (408, 425, 429)
_REMEDIES = {
    401: "set CODEQUARRY_EMBEDDING_API_KEY",
    403: "set CODEQUARRY_EMBEDDING_API_KEY",
    404: "check CODEQUARRY_EMBEDDING_MODEL and CODEQUARRY_EMBEDDING_BASE_URL",
}


@dataclass(frozen=True)
class Endpoint:
    """Where an embedding server is, and how patient to be.

    Args:
        base_url: Address up to, not including, the wire's path.
        api_key: Bearer token, or ``""``; never part of a message.
        timeout: Seconds to connect, and seconds for the whole answer.
        attempts: Tries of one request.
        backoff: Seconds before the second try; doubles with each further one.
        longest_wait: Seconds; a server that asks for more is given up.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0
    attempts: int = 5
    backoff: float = 0.5
    longest_wait: float = 60.0

    @property
    def host(self) -> str:
        """Host and port, for messages."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


class RequestTooLarge(EmbeddingError):
    """The server refused a request that a smaller one might not be refused for."""


class _Transient(EmbeddingError):
    def __init__(self, message: str, remedy: str, retry_after: float | None = None) -> None:
        super().__init__(message, remedy)
        self.retry_after = retry_after


class Transport:
    """A connection pool to one server; safe to use from several threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        headers = {"Content-Type": "application/json"}
        if endpoint.api_key:
            headers["Authorization"] = f"Bearer {endpoint.api_key}"
        self._client = httpx.Client(
            headers=headers,
            timeout=endpoint.timeout,
            follow_redirects=False,
            # A proxy of the environment cannot reach this machine's own servers.
            trust_env=urlsplit(endpoint.base_url).hostname not in _LOOPBACK,
        )
        # A search keeps its model to its end and closes nothing; connections must not outlive it.
        weakref.finalize(self, self._client.close)

    def post(self, path: str, body: bytes, answer_limit: int) -> bytes:
        """Send a request until it succeeds or the attempts are used up.

        Args:
            path: Appended to the base address.
            body: The JSON document.
            answer_limit: Largest answer in bytes.

        Raises:
            RequestTooLarge: Status 400, 413 or 422.
            EmbeddingError: Anything else went wrong.
        """
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self._endpoint.attempts),
            wait=self._pause,
            retry=tenacity.retry_if_exception_type(_Transient),
            reraise=True,
        )
        return retrying(self._post_once, path, body, answer_limit)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _post_once(self, path: str, body: bytes, answer_limit: int) -> bytes:
        host = self._endpoint.host
        started = time.monotonic()
        answer = bytearray()
        try:
            url = self._endpoint.base_url.rstrip("/") + path
            with self._client.stream("POST", url, content=body) as response:
                if response.status_code != httpx.codes.OK:
                    raise self._refused(response)
                for part in response.iter_bytes():
                    answer += part
                    if len(answer) > answer_limit:
                        raise EmbeddingError(
                            f"the embedding server {host} sent more than {answer_limit} bytes",
                            "check that CODEQUARRY_EMBEDDING_BASE_URL is an embedding server",
                        )
                    if time.monotonic() - started > self._endpoint.timeout:
                        raise httpx.ReadTimeout("the answer takes too long")
        except httpx.TimeoutException as error:
            raise _Transient(
                f"the embedding server {host} did not answer in {self._endpoint.timeout:g} s",
                "raise CODEQUARRY_EMBEDDING_TIMEOUT or lower CODEQUARRY_EMBEDDING_MAX_BATCH_SIZE",
            ) from error
        except httpx.RequestError as error:
            raise _Transient(
                f"cannot talk to the embedding server {host} ({type(error).__name__})",
                "start it, or set CODEQUARRY_EMBEDDING_BASE_URL",
            ) from error
        return bytes(answer)

    def _refused(self, response: httpx.Response) -> EmbeddingError:
        status = response.status_code
        message = f"the embedding server {self._endpoint.host} answered with status {status}"
        if status in _SPLITTABLE:
            return RequestTooLarge(message, "check the model's name, dimensions and input limit")
        if status in _RETRIED or status >= 500:
            retry_after = _seconds(response.headers.get("Retry-After", ""))
            if retry_after is None or retry_after <= self._endpoint.longest_wait:
                return _Transient(message, "try again later", retry_after)
            return EmbeddingError(message, f"try again in {retry_after:.0f} s")
        remedy = _REMEDIES.get(status, "check CODEQUARRY_EMBEDDING_BASE_URL")
        if response.is_redirect:
            remedy = "it redirects: set CODEQUARRY_EMBEDDING_BASE_URL to the final address"
        return EmbeddingError(message, remedy)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _Transient) and error.retry_after is not None:
            return error.retry_after
        doubled: float = self._endpoint.backoff * 2 ** (state.attempt_number - 1)
        return min(doubled, self._endpoint.longest_wait)


def _seconds(retry_after: str) -> float | None:
    """Read a Retry-After header: seconds, or a date."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    try:
        moment = email.utils.parsedate_to_datetime(retry_after)
    except (ValueError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
