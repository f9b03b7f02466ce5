"""producers.selection: modes, choices and fallbacks (contract.md B4, B5, B7)."""

from pathlib import Path

import pytest

from codequarry.core.errors import ProducerError, ProducerMissing, UsageError
from codequarry.producers.protocol import Producer
from codequarry.producers.selection import (
    REASONS,
    FallbackCode,
    ProducerKind,
    ProducerSetting,
    StructuralMode,
    choose,
    fallback,
    judge,
    load_first,
)
from tests.producers.exporting import TreeProducer, make_tree

BINARY = Path("/opt/bin/codemap")
CODEMAP, BUILTIN = ProducerKind.CODEMAP, ProducerKind.BUILTIN
OFF, AUTO, REQUIRED = StructuralMode


@pytest.mark.parametrize(
    ("text", "mode"),
    [("", AUTO), (None, AUTO), (" Auto ", AUTO), ("OFF", OFF), ("required\n", REQUIRED)],
)
def test_modes_are_trimmed_and_folded(text: str | None, mode: StructuralMode) -> None:
    """Empty means auto; case and blanks do not matter."""
    assert StructuralMode.parse(text) is mode


@pytest.mark.parametrize("kind", [StructuralMode, ProducerSetting])
def test_an_unknown_setting_names_the_known_ones(
    kind: type[StructuralMode | ProducerSetting],
) -> None:
    """The error lists what is allowed."""
    with pytest.raises(UsageError, match=r"use one of .*auto"):
        kind.parse("on")


CHOICES = [
    ("off", "auto", BINARY, True, (), None),
    ("off", "builtin", None, True, (), None),
    ("auto", "auto", BINARY, True, (CODEMAP, BUILTIN), None),
    ("auto", "auto", None, True, (BUILTIN,), None),
    ("auto", "auto", BINARY, False, (BUILTIN,), None),
    ("auto", "codemap", BINARY, True, (CODEMAP,), None),
    ("auto", "codemap", None, True, (), "producer_unavailable"),
    ("auto", "codemap", BINARY, False, (), "codemap_disabled"),
    ("auto", "builtin", BINARY, True, (BUILTIN,), None),
    ("required", "auto", BINARY, False, (CODEMAP,), None),
    ("required", "codemap", BINARY, True, (CODEMAP,), None),
    ("required", "builtin", None, True, (BUILTIN,), None),
]


@pytest.mark.parametrize(("mode", "setting", "binary", "enabled", "producers", "code"), CHOICES)
def test_choices(
    mode: str,
    setting: str,
    binary: Path | None,
    enabled: bool,
    producers: tuple[ProducerKind, ...],
    code: str | None,
) -> None:
    """Mode, setting and what is installed decide what is tried, and what the receipt says."""
    choice = choose(StructuralMode(mode), ProducerSetting(setting), binary, enabled)
    assert choice.producers == producers
    assert [item.code for item in choice.fallbacks] == ([code] if code else [])
    assert choice.binary == (binary if CODEMAP in producers else None)


@pytest.mark.parametrize("setting", [ProducerSetting.AUTO, ProducerSetting.CODEMAP])
def test_required_without_codemap_names_the_remedy(setting: ProducerSetting) -> None:
    """A required run fails before it starts, and says what to do."""
    with pytest.raises(ProducerMissing, match="install codemap") as caught:
        choose(REQUIRED, setting, None)
    assert "builtin" in caught.value.remedy


def test_every_code_has_one_bounded_sentence() -> None:
    """Codes and reasons fit the receipt, and nothing else can get into it."""
    assert set(REASONS) == set(FallbackCode)
    for code in FallbackCode:
        entry = fallback(code, 2)
        assert 0 < len(entry.code.encode()) <= 64
        assert 0 < len(entry.reason.encode()) <= 256
        assert entry.count == 2


@pytest.fixture
def trees(tmp_path: Path) -> dict[ProducerKind, TreeProducer]:
    root = make_tree(tmp_path)
    return {CODEMAP: TreeProducer(root), BUILTIN: TreeProducer(root)}


def test_the_first_working_producer_is_used(trees: dict[ProducerKind, TreeProducer]) -> None:
    """A working codemap leaves the built-in producer unopened."""
    opened: list[ProducerKind] = []

    def producer_of(kind: ProducerKind) -> Producer:
        opened.append(kind)
        return trees[kind]

    selected = load_first(choose(AUTO, ProducerSetting.AUTO, BINARY), producer_of, id)
    assert opened == [CODEMAP]
    assert (selected.producer, selected.result) == (trees[CODEMAP], id(trees[CODEMAP]))
    assert selected.fallbacks == ()


def test_a_failing_codemap_falls_back_to_the_builtin(
    trees: dict[ProducerKind, TreeProducer],
) -> None:
    """The receipt says producer_error; the producer's own words stay out of it."""

    def load(producer: Producer) -> str:
        if producer is trees[CODEMAP]:
            raise ProducerError("panic in secret/file.go")
        return "loaded"

    selected = load_first(choose(AUTO, ProducerSetting.AUTO, BINARY), trees.__getitem__, load)
    assert (selected.producer, selected.result) == (trees[BUILTIN], "loaded")
    assert selected.fallbacks == (fallback(FallbackCode.PRODUCER_ERROR),)
    assert "secret" not in selected.fallbacks[0].reason
    assert [error.message for error in selected.errors] == ["panic in secret/file.go"]


def fail(_producer: Producer) -> None:
    raise ProducerError("gone")


def test_when_all_fail_the_local_chunker_remains(trees: dict[ProducerKind, TreeProducer]) -> None:
    """In auto mode no producer's failure ends the run."""
    selected = load_first(choose(AUTO, ProducerSetting.AUTO, BINARY), trees.__getitem__, fail)
    assert (selected.producer, selected.result) == (None, None)
    assert [item.code for item in selected.fallbacks] == ["producer_error"]
    assert len(selected.errors) == 2


def test_required_does_not_fall_back(trees: dict[ProducerKind, TreeProducer]) -> None:
    """A required producer's failure is the run's."""
    choice = choose(REQUIRED, ProducerSetting.AUTO, BINARY)
    with pytest.raises(ProducerError, match="gone"):
        load_first(choice, trees.__getitem__, fail)


def test_off_opens_nothing() -> None:
    """Mode off calls no producer at all."""
    selected = load_first(choose(OFF, ProducerSetting.AUTO, BINARY), lambda _kind: 1 / 0, fail)  # type: ignore[arg-type,return-value]
    assert (selected.producer, selected.fallbacks) == (None, ())


def test_judgement_of_a_validated_export() -> None:
    """Issues are tolerated in auto while some file is usable, and never when required."""
    assert judge(AUTO, 3, 0) == judge(REQUIRED, 3, 0) == judge(REQUIRED, 0, 0) == ()
    assert judge(AUTO, 3, 2) == (fallback(FallbackCode.PARTIAL_STRUCTURAL_SNAPSHOT, 2),)
    for mode, usable in [(AUTO, 0), (REQUIRED, 0), (REQUIRED, 3)]:
        with pytest.raises(ProducerError, match="2 of"):
            judge(mode, usable, 2)
