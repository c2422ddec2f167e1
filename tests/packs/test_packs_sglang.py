"""What the SGLang pack keeps: the maintainers' rules for the wave, one read each."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.packs import load_pack, module_matches

PACK = load_pack("sglang", Path())

# module, field, namespace, form, what an alias is bound to → the reason, or None.
Row = tuple[str, str, str, str, "str | None", "str | None"]
READS: list[Row] = [
    # Everything that is read off the getter moves,
    ("models.llama", "page_size", "schedule", "call", None, None),
    # a per-runner field too: there is no runner in hand.
    ("models.gpt_oss", "attention_backend", "exec.kernel", "call", None, None),
    ("managers.mm_utils", "skip_tokenizer_init", "serving", "call", None, None),
    ("managers.scheduler", "page_size", "schedule", "self", None, None),
    ("models.inkling", "page_size", "schedule", "alias", "call", None),
    ("managers.scheduler", "revision", "model", "alias", "self", None),
    # What the draft worker rewrites on its copy stays with whoever holds a record.
    (
        "managers.scheduler",
        "skip_tokenizer_init",
        "serving",
        "self",
        None,
        "per-runner",
    ),
    (
        "managers.scheduler",
        "skip_tokenizer_init",
        "serving",
        "alias",
        "self",
        "per-runner",
    ),
    ("model_executor.x", "kv_cache_dtype", "model", "self", None, "per-runner"),
    ("layers.x", "attention_backend", "exec.kernel", "attribute", None, "per-runner"),
    ("layers.x", "mm_attention_backend", "mm", "self", None, None),
    # The live topology has these names.
    ("layers.x", "tp_size", "parallel", "call", None, "live-shadowed"),
    ("layers.x", "moe_dp_size", "parallel", "alias", "call", "live-shadowed"),
    ("layers.x", "dp_size", "parallel", "call", None, None),
    # Another object's record stays, but for what a running process overrides.
    ("layers.x", "page_size", "schedule", "attribute", None, "other-object"),
    ("layers.x", "speculative_eagle_topk", "spec", "attribute", None, "other-object"),
    ("layers.x", "speculative_num_steps", "spec", "attribute", None, None),
    ("layers.x", "dp_size", "parallel", "attribute", None, None),
    ("layers.x", "dp_size", "parallel", "alias", "attribute", "other-object"),
    # Front ends read their own instance, in every form.
    ("entrypoints", "port", "serving", "call", None, "per-instance"),
    ("entrypoints.openai.chat", "port", "serving", "self", None, "per-instance"),
    ("managers.tokenizer_manager", "port", "serving", "self", None, "per-instance"),
    (
        "managers.tokenizer_control_mixin",
        "dp_size",
        "parallel",
        "self",
        None,
        "per-instance",
    ),
    ("managers.multi_tokenizer_mixin", "port", "serving", "self", None, "per-instance"),
    ("multimodal.processors.base", "port", "serving", "self", None, "per-instance"),
    ("multimodal.mm_utils", "port", "serving", "self", None, None),
    ("managers.detokenizer_manager", "port", "serving", "self", None, None),
]


def reason(
    module: str,
    field: str,
    namespace: str,
    form: str,
    origin: str | None,
    function: str = "Class.method",
) -> str | None:
    for keep in PACK.keeps:
        if keep.matches(module, function, field, namespace, form, origin):
            return keep.reason
    return None


@pytest.mark.parametrize("row", READS, ids=["-".join(map(str, r[:5])) for r in READS])
def test_reads_in_srt(row: Row) -> None:
    module, field, namespace, form, origin, expected = row
    full = f"sglang.srt.{module}"
    assert reason(full, field, namespace, form, origin) == expected


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("sglang.multimodal_gen", "other-record"),
        ("sglang.multimodal_gen.runtime.server_args.server_args", "other-record"),
        ("sglang.lang.backend.runtime_endpoint", "per-instance"),
        ("sglang.benchmark.one_batch", "construction-boundary"),
        ("sglang.bench_one_batch_server", "construction-boundary"),
        ("sglang.test.runners", "construction-boundary"),
        ("sglang.kernels.ops.layernorm.mhc", None),
    ],
)
def test_other_packages(module: str, expected: str | None) -> None:
    assert reason(module, "page_size", "schedule", "self", None) == expected


@pytest.mark.parametrize(
    ("module", "owner"),
    [
        ("sglang.srt.runtime_context", True),
        ("sglang.srt.server_args", True),
        ("sglang.srt.arg_groups", True),
        ("sglang.srt.arg_groups.overrides", True),
        ("sglang.srt.managers.scheduler", False),
    ],
)
def test_owners(module: str, owner: bool) -> None:
    assert module_matches(PACK.record.owners, module) is owner


def test_no_entry_names_a_single_site() -> None:
    assert not any(keep.functions for keep in PACK.keeps)


def test_accessors_fail_as_the_getter_does_but_for_the_topology() -> None:
    raises = {accessor.root: accessor.unpublished for accessor in PACK.accessors}
    assert raises.pop("parallel") == "AttributeError"
    assert set(raises.values()) == {PACK.record.unpublished} == {"ValueError"}
