"""The program: two engines, one small load, and a report that is always the same."""

from __future__ import annotations

import argparse
from dataclasses import replace

from quern import admin, startup
from quern.compute.tokens import is_cut
from quern.config import ServiceArgs
from quern.loadgen.workload import texts
from quern.runtime_context import get_args
from quern.schedule import Scheduler
from quern.serving import Engine, Router
from quern.serving.metrics import Metrics


def parse(argv: list[str] | None = None) -> ServiceArgs:
    """The arguments that a command line asks for."""
    parser = argparse.ArgumentParser(prog="quern", description=__doc__)
    parser.add_argument("--config", help="TOML file with arguments")
    parser.add_argument("--kernel", choices=["auto", "dense", "sparse"])
    parser.add_argument("--workers", type=int)
    options = parser.parse_args(argv)
    values = startup.load_file(options.config) if options.config else {}
    for name in ("kernel", "workers"):
        if (value := getattr(options, name)) is not None:
            values[name] = value
    return ServiceArgs(config_path=options.config, **values)


def build(service_args: ServiceArgs) -> tuple[Scheduler, Router]:
    """One scheduler, and two engines that differ in their arguments."""
    scheduler = Scheduler(service_args)
    folded = replace(
        service_args, served_name="folded", lowercase=True, answer_digits=2
    )
    engines = [Engine(service_args, scheduler), Engine(folded, scheduler)]
    return scheduler, Router(engines)


def main(argv: list[str] | None = None) -> int:
    """Run the load and print the report."""
    from quern.serving.report import arguments, banner, digest, shape

    startup.start(parse(argv))
    scheduler, router = build(get_args())
    print("\n".join([banner(), *arguments(), *shape(scheduler)]))

    metrics = Metrics()
    for round_number, name in enumerate(router.names()):
        engine = router.engine(name)
        engine.submit(texts(), preview=False)
        engine.submit(texts()[:4], preview=True)
        for request in [*scheduler.run_batch(), *scheduler.run()]:
            metrics.observe(request)
        answers = engine.answers()
        print(f"{name}: {len(answers)} answers {digest(answers)}")
        print(f"  first {answers[0].vector[:4]}, preview {answers[-4].vector[:4]}")
        if round_number == 0:
            scheduler.worker_lost(f"{get_args().device}:2")
            admin.resize(workers=6, cache_entries=5)
            admin.set_log_level("debug")

    admin.watch_closely()
    print("\n".join(shape(scheduler)))
    print(f"batches {scheduler.batches}")
    print(f"cache {len(scheduler.cache)} kept, {scheduler.cache.hits} hits")
    print(f"small {scheduler.small}, cut {sum(map(is_cut, texts()))}")
    print(f"folding {router.folding()}")
    print(f"runners {', '.join(r.label for r in scheduler.runners.values())}")
    print(f"fullest text {max(r.fullest for r in scheduler.runners.values()):.0%}")
    print(f"metrics {metrics.summary()}, {len(metrics.log)} logged")
    startup.stop()
    return 0
