"""Engines, metrics, and the program as a whole."""

from __future__ import annotations

import io
import unittest
from contextlib import redirect_stdout

from quern import admin, cli
from quern.config import ServiceArgs
from quern.runtime_context import get_args, get_context
from quern.schedule import Scheduler
from quern.serving import Engine, Router
from quern.serving.metrics import Metrics, slow_limit, window
from quern.serving.report import banner
from tests.support import ServiceTest


class EnginesTest(ServiceTest):
    arguments = {"served_name": "process", "answer_digits": 6}

    def setUp(self) -> None:
        super().setUp()
        scheduler = Scheduler(get_args())
        own = [
            ServiceArgs(served_name="exact", answer_digits=5),
            ServiceArgs(served_name="folded", answer_digits=1, lowercase=True),
        ]
        self.router = Router([Engine(args, scheduler) for args in own])
        self.exact, self.folded = (self.router.engine(args.served_name) for args in own)
        for engine in (self.exact, self.folded):
            engine.submit(["Mill stone", "mill stone"])
        scheduler.run()

    def test_each_engine_keeps_its_own_arguments(self):
        exact, folded = self.exact.answers(), self.folded.answers()
        self.assertEqual({answer.name for answer in exact}, {"exact"})
        self.assertEqual({answer.name for answer in folded}, {"folded"})
        self.assertNotEqual(exact[0].vector, exact[1].vector)
        self.assertEqual(folded[0].vector, folded[1].vector)
        rough = tuple(round(value, 1) for value in exact[1].vector)
        self.assertEqual(folded[1].vector, rough)
        self.assertNotEqual(exact[1].vector, rough)

    def test_answers_are_given_once(self):
        self.assertEqual(len(self.exact.answers()), 2)
        self.assertEqual(self.exact.answers(), [])

    def test_the_router_knows_its_engines(self):
        self.assertEqual(self.router.names(), ["exact", "folded"])
        self.assertEqual(self.router.folding(), ["folded"])
        with self.assertRaisesRegex(LookupError, "only exact, folded"):
            self.router.engine("process")

    def test_an_operator_retires_engines(self):
        engines = [self.exact, self.folded]
        self.assertEqual(admin.retire(engines), "folded")
        self.assertEqual(admin.retire(engines), "exact")
        self.assertEqual(engines, [])


class MetricsBeforeStartup(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual((window(), slow_limit()), (8, None))
        self.assertEqual(Metrics().waits.maxlen, 8)


class MetricsTest(ServiceTest):
    arguments = {"metrics_window": 3, "slow_after": 2}

    def setUp(self) -> None:
        super().setUp()
        self.request = Scheduler(get_args()).submit("test", "one two")

    def observed(self, *waits: int) -> Metrics:
        metrics = Metrics()
        for self.request.waited in waits:
            metrics.observe(self.request)
        return metrics

    def test_only_the_last_waits_count(self):
        metrics = self.observed(9, 9, 1, 2, 3)
        self.assertEqual(metrics.summary(), "3 waits, longest 3, 2 over 2")
        self.assertEqual(slow_limit(), 2)

    def test_an_operator_watches_closely(self):
        admin.watch_closely()
        metrics = self.observed(9, 9, 1, 2, 3)
        self.assertEqual(metrics.summary(), "5 waits, longest 9, 5 over 1")

    def test_an_operator_turns_the_log_on(self):
        self.assertEqual(self.observed(1).log, [])
        admin.set_log_level("debug")
        self.assertEqual(self.observed(1).log, ["0 test 1"])
        given = get_args().log_level  # nsroute: keep[record] it keeps what was given
        self.assertEqual(given, "info")

    def test_scoped_limit(self):
        metrics = self.observed(1, 2, 3)
        with get_context().scoped(slow_after=3):
            self.assertEqual(metrics.slow(), 1)


class BannerTest(ServiceTest):
    arguments = {"served_name": "mill", "log_level": "error"}

    def test_it_shows_what_was_asked_for(self):
        admin.set_log_level("debug")
        self.assertEqual(banner(), "mill (command line, log level error)")


class ProgramTest(unittest.TestCase):
    def report(self, *argv: str) -> str:
        with redirect_stdout(io.StringIO()) as output:
            self.assertEqual(cli.main(list(argv)), 0)
        return output.getvalue()

    def test_the_report_is_the_same_every_time(self):
        report = self.report()
        self.assertEqual(self.report(), report)
        self.assertIn("workers 4 configured, 4 live", report)
        self.assertIn("workers 6 configured, 3 live", report)
        self.assertIn("batches up to 4 texts", report)

    def test_kernels_give_the_same_answers(self):
        answers = [
            [line for line in report.splitlines() if "answers" in line]
            for report in (
                self.report("--kernel=dense"),
                self.report("--kernel=sparse"),
            )
        ]
        self.assertEqual(*answers)
