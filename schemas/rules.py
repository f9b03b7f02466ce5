"""Row rules of the tables, as pandera models: readable contracts for blocking checks."""

from collections.abc import Mapping

import pandera.polars as pa
import polars as pl
import pyarrow as arrow
from pandera.errors import SchemaErrors

_HASH = r"^[0-9a-f]{64}$"
_ORIGINS = ["structural", "gap", "local"]
_CHUNK_TYPES = ["function", "class", "block", "generic"]
MAX_FAILURES = 10


class RecordRows(pa.DataFrameModel):
    """Rows of `tables.RECORDS` (contract.md B3)."""

    ordinal: int = pa.Field(ge=1, unique=True)
    file: str = pa.Field(str_length={"min_value": 1})
    start_line: pl.Int32 = pa.Field(ge=1)
    end_line: pl.Int32 = pa.Field(ge=1)
    kind: str = pa.Field(str_length={"min_value": 1})
    language: str = pa.Field(str_length={"min_value": 1})
    source_hash: str = pa.Field(str_matches=_HASH)
    content_hash: str = pa.Field(str_matches=_HASH)

    @pa.dataframe_check
    @classmethod
    def ends_after_it_starts(cls, data: pa.PolarsData) -> pl.LazyFrame:
        """A record ends on or after its first line."""
        return data.lazyframe.select(pl.col("end_line") >= pl.col("start_line"))


class ChunkRows(pa.DataFrameModel):
    """Rows of `tables.CHUNKS` (contract.md D1)."""

    chunk_id: int = pa.Field(ge=0, unique=True)
    path: str = pa.Field(str_length={"min_value": 1})
    chunk_index: pl.Int32 = pa.Field(ge=0)
    start_line: pl.Int32 = pa.Field(ge=1)
    end_line: pl.Int32 = pa.Field(ge=1)
    start_byte: int = pa.Field(ge=0)
    chunk_type: str = pa.Field(isin=_CHUNK_TYPES)
    origin: str = pa.Field(isin=_ORIGINS)
    text_hash: str = pa.Field(str_matches=_HASH)
    source_hash: str = pa.Field(str_matches=_HASH)

    @pa.dataframe_check
    @classmethod
    def holds_text(cls, data: pa.PolarsData) -> pl.LazyFrame:
        """No chunk is blank."""
        return data.lazyframe.select(pl.col("content").str.strip_chars() != "")

    @pa.dataframe_check
    @classmethod
    def selects_only_structural(cls, data: pa.PolarsData) -> pl.LazyFrame:
        """Exactly the structural chunks have a selector."""
        structural = pl.col("origin") == "structural"
        return data.lazyframe.select(pl.col("selector").is_not_null() == structural)


def failures(model: type[pa.DataFrameModel], table: arrow.Table) -> list[str]:
    """Hold a table to a model.

    Returns:
        At most ten broken rules with the row numbers of their first failures; no cell contents.
    """
    schema = model.to_schema()
    frame = pl.DataFrame(table)
    try:
        schema.validate(frame, lazy=True)
    except SchemaErrors as error:
        return _worded(error.failure_cases.to_dicts())
    return []


def _worded(cases: list[Mapping[str, object]]) -> list[str]:
    rows: dict[str, list[object]] = {}
    for case in cases:
        rows.setdefault(f"{case['column']}: {case['check']}", []).append(case["index"])
    return [f"{rule} (rows {found[:5]})" for rule, found in list(rows.items())[:MAX_FAILURES]]
