"""Blocking checks, all made by one factory: a rule of the library over one stored changeset."""

from collections.abc import Callable, Sequence
from typing import Any

import dagster as dg

from codequarry.assets.partitions import projects
from codequarry.core.changeset import Changeset

SHOWN = 20

Rule = Callable[[Changeset], list[str]]


def blocking_check(
    asset: dg.AssetsDefinition, rules: Sequence[tuple[Rule, str]]
) -> dg.AssetChecksDefinition:
    """Make the one blocking check step of an asset: a check a rule.

    Args:
        asset: The asset whose stored changeset the rules read.
        rules: A library function that names what is wrong, and what it proves.
    """
    specs = [blocking(asset, rule.__name__, proves) for rule, proves in rules]

    @dg.multi_asset_check(
        specs=specs,
        name=f"check_{asset.key.to_python_identifier()}",
        ins={"stored": dg.AssetIn(asset.key)},
    )
    def check(stored: Changeset) -> Any:
        for rule, _ in rules:
            yield result(asset.key, rule.__name__, rule(stored))

    return check


def blocking(
    asset: dg.AssetsDefinition, name: str, proves: str, besides: Sequence[str] = ()
) -> dg.AssetCheckSpec:
    """Specify a check that keeps what fails it from being published.

    Args:
        asset: The asset.
        name: The check's name.
        proves: What it proves, a sentence.
        besides: Other assets that it reads.
    """
    return dg.AssetCheckSpec(
        name,
        asset=asset,
        additional_deps=list(besides),
        description=proves,
        blocking=True,
        partitions_def=projects,
    )


def result(key: dg.AssetKey, name: str, problems: list[str]) -> dg.AssetCheckResult:
    """Give a check's result: it passes when nothing is wrong."""
    return dg.AssetCheckResult(
        asset_key=key,
        check_name=name,
        passed=not problems,
        metadata={"problems": len(problems), "first": dg.MetadataValue.json(problems[:SHOWN])},
    )
