"""Asset 6: one vector per chunk."""

import dagster as dg

from codequarry.assets.checks import blocking, result
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import vectors


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow", "numpy"})
def embeddings(
    deployment: Deployment, embedding: Embedding, chunks: Changeset
) -> dg.Output[ChangesetStream]:
    """One vector per chunk; a text embedded once is never embedded again."""
    embedder = embedding.embedder()
    cache = deployment.embedding_cache(embedder.profile)
    stream = vectors.embed_chunks(chunks, embedder, cache)
    return emit(stream, chunks.header.plan.to_fingerprint, embedding.profile().profile_id)


@dg.multi_asset_check(
    specs=[
        blocking(
            embeddings,
            "unsound_vectors",
            "Vectors are finite and of unit length.",
            besides=["chunks"],
        ),
        blocking(
            embeddings,
            "missing_vectors",
            "There is exactly one vector per chunk, in the chunks' order.",
            besides=["chunks"],
        ),
    ],
    ins={"stored": dg.AssetIn("embeddings"), "made": dg.AssetIn("chunks")},
)
def check_embeddings(stored: Changeset, made: Changeset):  # type: ignore[no-untyped-def]
    """Check the vectors against the chunks."""
    key = embeddings.key
    yield result(key, "unsound_vectors", vectors.unsound_vectors(stored))
    yield result(key, "missing_vectors", vectors.missing_vectors(stored, made))
