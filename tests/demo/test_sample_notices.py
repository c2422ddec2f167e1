"""A wrong rewrite does not pass the sample's own tests and program unnoticed.

The demo shows that they say the same before and after. That means something only if
they would not say the same after a rewrite that ignores a reason to keep.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codemod.demo.run import run_program, run_tests, write_sample

CONTEXT = "from quern.runtime_context import "

# What is ignored: the file, and pieces of it with what a wrong rewrite makes of them.
WRONG: dict[str, tuple[str, dict[str, str]]] = {
    "an engine's own arguments": (
        "quern/serving/engine.py",
        {
            "self.service_args.lowercase": "get_serving().lowercase",
            "from quern.config": f"{CONTEXT}get_serving\nfrom quern.config",
        },
    ),
    "an engine's own arguments through an alias": (
        "quern/serving/engine.py",
        {
            "args = self.service_args": "args = get_serving()",
            "from quern.config": f"{CONTEXT}get_serving\nfrom quern.config",
        },
    ),
    "another object's own arguments": (
        "quern/serving/router.py",
        {
            "self.engine(name).service_args.lowercase": "get_serving().lowercase",
            "from quern.serving": f"{CONTEXT}get_serving\nfrom quern.serving",
        },
    ),
    "a runner's own copy": (
        "quern/compute/runner.py",
        {
            "digits = self.service_args.precision": "digits = get_args().precision",
            "from quern.config": f"{CONTEXT}get_args\nfrom quern.config",
        },
    ),
    "a writer of a runner's own copy": (
        "quern/compute/runner.py",
        {
            "self.service_args.override(": "get_context().override(",
            "from quern.config": f"{CONTEXT}get_context\nfrom quern.config",
        },
    ),
    "a live value at startup": (
        "quern/topology.py",
        {
            "range(sa.workers)": "range(get_parallel().workers)",
            "import get_args": "import get_args, get_parallel",
        },
    ),
    "a live value in the report": (
        "quern/serving/report.py",
        {"get_args().workers": "get_parallel().workers"},
    ),
    "what runs before publishing": (
        "quern/startup.py",
        {
            "config.kernel ==": "get_exec().kernel.kernel ==",
            "import get_args": "import get_exec, get_args",
        },
    ),
    "a writer before publishing": (
        "quern/startup.py",
        {'config.override("resolve"': 'get_context().override("resolve"'},
    ),
    "a name that is not always the record": (
        "quern/schedule/policy.py",
        {
            "config.max_batch_tokens": "get_schedule().max_batch_tokens",
            "import get_args": "import get_schedule, get_args",
        },
    ),
    "a back-filled parameter": (
        "quern/schedule/policy.py",
        {
            "return service_args.schedule_policy": "return get_args().schedule_policy",
        },
    ),
    "a back-filled parameter, walrus": (
        "quern/compute/devices.py",
        {"Device(service_args.device": "Device(get_args().device"},
    ),
    "a back-filled parameter, conditional": (
        "quern/compute/tokens.py",
        {"service_args.max_batch_tokens": "get_args().max_batch_tokens"},
    ),
    "a parameter": (
        "quern/schedule/policy.py",
        {"2 < service_args.max_tokens": "2 < get_args().max_tokens"},
    ),
    "a suppression": (
        "quern/serving/report.py",
        {
            "level = get_args().log_level": "level = get_serving().log_level",
            "import get_args": "import get_serving, get_args",
        },
    ),
    "a field in no namespace": (
        "quern/serving/report.py",
        {
            "get_args().config_path": "get_serving().config_path",
            "import get_args": "import get_serving, get_args",
        },
    ),
    "a write": (
        "quern/admin.py",
        {
            "get_args().slow_after =": "get_serving().slow_after =",
            "import get_args": "import get_serving, get_args",
        },
    ),
    "what happens on the way": (
        "quern/admin.py",
        {
            "engines.pop().service_args.served_name": "get_serving().served_name",
            "import get_args": "import get_serving, get_args",
        },
    ),
    "the readers of a field whose writer moves": (
        "quern/admin.py",
        {
            'get_args().override("operator", workers': (
                'get_context().override("operator", workers'
            )
        },
    ),
    "another getter of the same name": (
        "quern/loadgen/workload.py",
        {
            "get_args().longest": "get_model().longest",
            "import get_args as": "import get_model, get_args as",
        },
    ),
    "a name that is taken": (
        "quern/compute/devices.py",
        {"return Device(get_args().device": "return Device(get_device().device"},
    ),
    "an alias that is taken": (
        "quern/compute/devices.py",
        {
            "{get_args().device}": "{get_device_namespace().device}",
            "import get_args": "import get_args, get_device as get_device_namespace",
        },
    ),
    "an import cycle": (
        "quern/placement.py",
        {
            "    from quern.runtime_context import get_args, get_parallel\n": "",
            "def place": f"{CONTEXT}get_args, get_parallel\n\n\ndef place",
        },
    ),
    "an import that needs startup": (
        "quern/compute/runner.py",
        {
            "        from quern.compute import tables\n": "",
            "from quern.config": "from quern.compute import tables\nfrom quern.config",
        },
    ),
}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("right")
    write_sample(target)
    assert run_tests(target).code == 0
    return run_program(target).stdout


@pytest.mark.parametrize("ignored", WRONG)
def test_it_notices_a_rewrite_that_ignores(
    ignored: str, right: str, tmp_path: Path
) -> None:
    write_sample(tmp_path)
    file, pieces = WRONG[ignored]
    text = (tmp_path / file).read_text()
    for before, after in pieces.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    compile(text, file, "exec")
    (tmp_path / file).write_text(text)
    assert run_tests(tmp_path).code != 0 or run_program(tmp_path).stdout != right


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        (
            "quern/compute/tokens.py",
            "from quern.common import get_args",
            f"from quern.common import get_args\n{CONTEXT}get_model",
        ),
        (
            "quern/placement.py",
            "get_args().shard_stride",
            "get_parallel().shard_stride",
        ),
        ("quern/serving/metrics.py", ">= rc.get_args()", ">= get_serving()"),
    ],
)
def test_it_says_nothing_of_a_right_rewrite(
    file: str, before: str, after: str, right: str, tmp_path: Path
) -> None:
    write_sample(tmp_path)
    text = (tmp_path / file).read_text()
    assert text.count(before) == 1
    (tmp_path / file).write_text(text.replace(before, after))
    assert run_tests(tmp_path).code == 0
    assert run_program(tmp_path).stdout == right
