"""Arrow schemas of every table, with units and sources in each field's metadata.

Source tags name the section of the codemap contract a field follows, or ``codequarry``.
Paths are project-relative with ``/``; lines are 1-based and inclusive; hashes are lower-case hex.
"""

import pyarrow as pa


def _field(
    name: str, kind: pa.DataType, source: str, unit: str = "", *, nullable: bool = False
) -> pa.Field:
    metadata = {"source": source} | ({"unit": unit} if unit else {})
    return pa.field(name, kind, nullable=nullable, metadata=metadata)


SNAPSHOT = pa.schema(
    [
        _field("path", pa.string(), "D4"),
        _field("os_path", pa.binary(), "codequarry", "file system bytes below the root"),
        _field("size", pa.int64(), "D4", "bytes"),
        _field("sha256", pa.string(), "C6", "sha256 of the raw file"),
        _field("language", pa.string(), "D5"),
    ]
)
"""One row per eligible file, ascending by the bytes of ``path``."""

SKIPPED = pa.schema(
    [
        _field("path", pa.string(), "D4"),
        _field("reason", pa.string(), "codequarry", "one of sources.eligibility.SkipReason"),
    ]
)
"""One row per file that was seen and left out, with a bounded reason."""

PAGES = pa.schema(
    [
        _field("number", pa.int32(), "codequarry", "0-based position in the export"),
        _field("sha256", pa.string(), "codequarry", "sha256 of the page's bytes"),
        _field("bytes", pa.int64(), "B1", "bytes"),
        _field("schema_version", pa.int32(), "A1.1"),
        _field("project", pa.string(), "A1.1"),
        _field("project_key", pa.string(), "C1", "Key A"),
        _field("index_fingerprint", pa.string(), "C2"),
        _field("offset", pa.int64(), "A1.1", "records"),
        _field("limit", pa.int64(), "A1.1", "records"),
        _field("max_content_bytes", pa.int64(), "A1.1", "bytes"),
        _field("total_records", pa.int64(), "A1.1", "records"),
        _field("returned_records", pa.int64(), "A1.1", "records"),
        _field("complete", pa.bool_(), "A1.1"),
        _field("body", pa.large_binary(), "A1", "the page, byte for byte"),
    ]
)
"""One row per page of an export."""

RECORDS = pa.schema(
    [
        _field("ordinal", pa.int64(), "A1.2", "1-based position in the export; legacy: derived"),
        _field("file", pa.string(), "A1.2"),
        _field("start_line", pa.int32(), "A1.2", "line"),
        _field("end_line", pa.int32(), "A1.2", "line"),
        _field("symbol", pa.string(), "A1.2"),
        _field("fqn", pa.string(), "A1.2"),
        _field("kind", pa.string(), "A1.2"),
        _field("language", pa.string(), "A1.2", "the producer's language id"),
        _field("signature", pa.string(), "A1.2"),
        _field("docstring", pa.string(), "A1.2"),
        _field("source_hash", pa.string(), "C6", "sha256 of the symbol's source text"),
        _field("content_hash", pa.string(), "C3", "sha256 of the uncut line range"),
        _field("truncated", pa.bool_(), "A1.2", "signature or docstring was cut"),
    ]
)
"""One row per validated record, in export order."""

QUARANTINE = pa.schema(
    [
        _field("file", pa.string(), "B3"),
        _field("rule", pa.string(), "B3", "R6 to R13"),
        _field("start_line", pa.int32(), "B3", "line of the record that broke the rule"),
    ]
)
"""One row per file whose structural records were dropped: the first broken rule."""

VALIDATED = pa.schema(
    [
        _field("file", pa.string(), "A1.2"),
        _field("sha256", pa.string(), "B4", "sha256 of the raw file while it was validated"),
    ]
)
"""One row per file that has validated records: it is structural only while its hash is this."""

SELECTOR = pa.struct(
    [
        pa.field("file", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("fqn", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
    ]
)
"""The declaration a chunk belongs to; the only join key between tools (contract.md D1)."""

CHUNKS = pa.schema(
    [
        _field("chunk_id", pa.int64(), "codequarry", "key: project, path, chunk_index"),
        _field("project", pa.string(), "codequarry"),
        _field("path", pa.string(), "D6"),
        _field("language", pa.string(), "D5"),
        _field("chunk_index", pa.int32(), "D6", "0-based position in the file"),
        _field("start_line", pa.int32(), "D6", "line"),
        _field("end_line", pa.int32(), "D6", "line"),
        _field("start_byte", pa.int64(), "codequarry", "byte of the repaired file"),
        _field("end_byte", pa.int64(), "codequarry", "byte of the repaired file, exclusive"),
        _field("chunk_type", pa.string(), "D1", "function, class, block or generic"),
        _field("origin", pa.string(), "D1", "structural, gap or local"),
        _field("symbol", pa.string(), "A1.2", "bare name, or empty"),
        _field("symbol_name", pa.string(), "D1", "qualified name, or empty"),
        _field("selector", SELECTOR, "D1", nullable=True),
        _field("content", pa.string(), "D1", "the piece of source"),
        _field("embedding_text", pa.string(), "D2", "at most 4096 bytes"),
        _field("text_hash", pa.string(), "codequarry", "sha256 of embedding_text"),
        _field("source_hash", pa.string(), "D6", "sha256 of the raw file"),
    ]
)
"""One row per chunk, by file in snapshot order, then ``chunk_index``."""

FILES = pa.schema(
    [
        _field("project", pa.string(), "codequarry"),
        _field("path", pa.string(), "D6"),
        _field("os_path", pa.binary(), "codequarry", "file system bytes below the root"),
        _field("language", pa.string(), "D5"),
        _field("size", pa.int64(), "D6", "bytes"),
        _field("source_hash", pa.string(), "D6", "sha256 of the raw file"),
        _field("file_hash", pa.string(), "C8", "structural file hash, or source_hash"),
        _field("origin", pa.string(), "D1", "structural or local"),
        _field("chunks", pa.int32(), "codequarry", "chunks of this file"),
        _field("dropped_bytes", pa.int64(), "D1.7", "bytes in blank pieces that are no chunk"),
    ]
)
"""One row per indexed file."""

EDGES = pa.schema(
    [
        _field("edge_id", pa.int64(), "codequarry", "key: every other column, ends by their keys"),
        _field("project", pa.string(), "codequarry"),
        _field("kind", pa.string(), "engines.md 2", "contains, imports, references, calls, …"),
        _field("source_id", pa.int64(), "codequarry", "symbol_id of the source"),
        _field("target_id", pa.int64(), "codequarry", "symbol_id of the target"),
        _field("path", pa.string(), "codequarry", "file in which the edge was seen"),
        _field("line", pa.int32(), "codequarry", "line"),
        _field("resolution", pa.string(), "codequarry", "exact, import, receiver or name"),
        _field("confidence", pa.float32(), "codequarry", "probability, 0 to 1"),
    ]
)
"""One row per edge of the code graph; both ends are rows of SYMBOLS."""

SYMBOLS = pa.schema(
    [
        _field(
            "symbol_id",
            pa.int64(),
            "codequarry",
            "key: project, path, fqn, kind, symbol, occurrence among equals",
        ),
        _field("project", pa.string(), "codequarry"),
        *[field for field in RECORDS if field.name not in ("ordinal", "file")],
        _field("path", pa.string(), "A1.2"),
    ]
)
"""One row per node of the code graph: every record, and one node of kind ``file`` per file.

No column moves when another file, or a line above a symbol, does: `symbol_id` counts lines only to
tell equals of one file apart.
"""

RECEIPTS = pa.schema(
    [
        _field("sequence", pa.int64(), "codequarry", "1-based position in the ledger"),
        _field("project", pa.string(), "codequarry"),
        _field("project_key", pa.string(), "C5", "Key B"),
        _field("attempt_id", pa.string(), "C8"),
        _field("appended_at", pa.string(), "E3", "RFC 3339 UTC"),
        _field("mode", pa.string(), "codequarry", "full, delta, removed or maintenance"),
        _field("reason", pa.string(), "codequarry", "why this mode"),
        _field("from_fingerprint", pa.string(), "E7"),
        _field("to_fingerprint", pa.string(), "C2"),
        _field("embedding_profile", pa.string(), "E9"),
        _field("chunk_profile", pa.string(), "J-07"),
        _field("versions", pa.string(), "codequarry", "JSON: table name to published version"),
        _field("details", pa.string(), "codequarry", "JSON: what the run counted"),
        _field("receipt", pa.string(), "E3", "the receipt's exact bytes"),
        _field("receipt_hash", pa.string(), "codequarry", "sha256 of receipt"),
        _field("previous_hash", pa.string(), "codequarry", "entry_hash before it in its project"),
        _field("entry_hash", pa.string(), "codequarry", "sha256 over the other columns"),
    ]
)
"""The ledger: one row per published attempt, each chained to the one before in its project."""


MEMORIES = pa.schema(
    [
        _field("id", pa.int64(), "G1", "the table version it was added to; never used again"),
        _field("content", pa.string(), "G1"),
        _field("importance", pa.float64(), "G1", "0 to 1"),
        _field("tags", pa.list_(pa.field("item", pa.string(), False)), "G1"),
        _field("created_at", pa.int64(), "G1", "milliseconds since 1970 UTC"),
        _field("expires_at", pa.int64(), "G1", "milliseconds since 1970 UTC; 0: never"),
        _field("access_count", pa.int64(), "G1", "recalls that returned it"),
        _field("last_accessed_at", pa.int64(), "G1", "milliseconds since 1970 UTC; 0: never"),
        _field("related", pa.list_(pa.field("item", pa.int64(), False)), "G2", "ids, at most 8"),
        _field("profile", pa.string(), "E9", "embedding profile of the vector"),
        _field("vector", pa.list_(pa.float32()), "E9", "unit length, or zero without a word"),
    ]
)
"""One row per memory of an agent; not part of any published version."""


def vectors(dimensions: int) -> pa.Schema:
    """Give the schema of the embeddings table: one row per chunk, float32 of unit length."""
    return pa.schema(
        [
            _field("chunk_id", pa.int64(), "codequarry"),
            _field("vector", pa.list_(pa.float32(), dimensions), "E9", "unit length, cosine"),
        ]
    )


def stored_chunks(dimensions: int) -> pa.Schema:
    """Give the schema of the chunks table in LanceDB: chunks and what a search needs of them."""
    kept = [field for field in CHUNKS if field.name != "embedding_text"]
    return pa.schema(
        [
            *kept,
            _field("words", pa.string(), "retrieval.md 4.6", "code words for full text"),
            _field("card", pa.binary(), "codequarry", "index.cards.Card as MessagePack"),
            _field("row_hash", pa.string(), "codequarry", "sha256 over the row but the vector"),
            _field("vector", pa.list_(pa.float32(), dimensions), "E9", "unit length, cosine"),
        ]
    )
