"""Every error that codequarry raises on purpose.

CodequarryError            what happened, to what, and what to do
├── UsageError             an argument or a setting is wrong
├── ProjectError           a project is unknown, ambiguous or unusable
├── StateError             the state directory cannot be used
│   └── BusyError          another run holds the lease
├── ProducerError          a producer failed; carries a bounded code
│   ├── ProducerMissing    the binary was not found
│   ├── ManifestRejected   the manifest broke a rule; carries the rule's id and a verdict
│   └── ExportRejected     the export broke a rule; carries the rule's id
│       └── ExportChanged  the producer's index moved between two pages
├── ProcessError           a child process could not be run to its end
│   ├── ProcessNotStarted  it never ran
│   ├── ProcessTimeout     it was killed at its deadline
│   └── OutputLimit        it was killed for printing too much
├── EngineError            a code index engine could not answer
│   └── EngineUnavailable  it is missing, refused, or not the engine it should be
├── EmbeddingError         an embedding provider failed
│   ├── ProfileMismatch    the index was built with another profile
│   └── ProviderUnavailable  the provider's server cannot be reached
├── MemoryTwin             a memory says the same; carries its id
└── IndexStateError        the stored index is absent or inconsistent
    ├── IndexMissing       nothing was ever published
    └── ReceiptError       a receipt or the ledger does not verify
"""


class CodequarryError(Exception):
    """Base of all expected failures.

    Args:
        message: One sentence: what happened, and to what. Never source text, never a secret.
        remedy: One sentence: what the reader can do about it. Empty when there is nothing to do.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """Give the message and, when there is one, the remedy."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


class UsageError(CodequarryError):
    """An argument or a setting is wrong."""


class ProjectError(CodequarryError):
    """A project is unknown, ambiguous or unusable."""


class StateError(CodequarryError):
    """The state directory cannot be used."""


class BusyError(StateError):
    """Another run holds the lease."""


class ProducerError(CodequarryError):
    """A producer failed.

    Args:
        message: What happened.
        remedy: What to do.
        code: The producer's own failure code (contract.md A0.1), or ``""``.
    """

    def __init__(self, message: str, remedy: str = "", code: str = "") -> None:
        super().__init__(message, remedy)
        self.code = code


class ProducerMissing(ProducerError):
    """The producer's binary was not found."""


class ExportRejected(ProducerError):
    """A whole export broke a rule.

    Args:
        rule: The rule's id in contract.md B2 or B3, such as ``P6`` or ``R4``.
        message: What was wrong.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(
            f"the export was rejected by rule {rule}: {message}",
            "index the project again with its producer, or use another one (CODEQUARRY_PRODUCER)",
            rule,
        )
        self.rule = rule


class ExportChanged(ExportRejected):
    """The producer's index moved between two pages of one export (contract.md P5, J-49)."""


class ManifestRejected(ProducerError):
    """The structural manifest broke a rule.

    Args:
        rule: The rule's id in contract.md B6, such as ``M5``.
        verdict: ``unavailable``, ``invalid`` or ``mismatch``.
        message: What was wrong.
    """

    def __init__(self, rule: str, verdict: str, message: str) -> None:
        super().__init__(
            f"the structural manifest is {verdict} ({rule}): {message}",
            "index the project again with its producer",
            rule,
        )
        self.rule = rule
        self.verdict = verdict


class ProcessError(CodequarryError):
    """A child process could not be run to its end."""


class ProcessNotStarted(ProcessError):
    """A child process never ran."""


class ProcessTimeout(ProcessError):
    """A child process was killed at its deadline."""


class ProcessCancelled(ProcessError):
    """A child process was stopped because nobody waits for it any more."""


class OutputLimit(ProcessError):
    """A child process was killed for printing more than was allowed."""


class EngineError(CodequarryError):
    """A code index engine could not answer."""


class EngineUnavailable(EngineError):
    """A code index engine is missing, refused, or not the engine it should be."""


class EmbeddingError(CodequarryError):
    """An embedding provider failed."""


class ProfileMismatch(EmbeddingError):
    """The index was built with another embedding or chunk profile."""


class ProviderUnavailable(EmbeddingError):
    """The embedding provider's server cannot be reached."""


class MemoryTwin(CodequarryError):
    """A memory that says the same is kept already (contract.md G2).

    Args:
        twin: The id of that memory.
        similarity: Cosine, 0 to 1.
    """

    def __init__(self, twin: int, similarity: float) -> None:
        super().__init__(
            f"memory {twin} says the same (similarity {similarity:.2f})",
            "forget that one first, or allow duplicates",
        )
        self.twin = twin
        self.similarity = similarity


class IndexStateError(CodequarryError):
    """The stored index is absent or inconsistent."""


class IndexMissing(IndexStateError):
    """Nothing was ever published for what was asked."""


class ReceiptError(IndexStateError):
    """A receipt or the ledger does not verify."""
