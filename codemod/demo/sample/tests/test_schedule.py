"""Batches, their order, and what changes them."""

from __future__ import annotations

from quern import admin, topology
from quern.config import ServiceArgs
from quern.runtime_context import get_args, get_context
from quern.schedule import Request, Scheduler
from quern.schedule.policy import full_share, is_small, policy_name, token_budget
from tests.support import ServiceTest

TEXTS = ["one two three", "one", "one two", "one two three four"]


class SchedulerTest(ServiceTest):
    def setUp(self) -> None:
        super().setUp()
        self.scheduler = Scheduler(get_args())

    def submit(self, texts: list[str] = TEXTS) -> list[Request]:
        return [self.scheduler.submit("test", text) for text in texts]

    def sizes(self) -> list[int]:
        return [len(request.words) for request in self.scheduler.next_batch()]

    def test_policy_orders_the_queue(self):
        self.submit()
        self.assertEqual(self.sizes(), [1, 2, 3, 4])
        with get_context().scoped(schedule_policy="fifo"):
            self.submit()
            self.assertEqual(self.sizes(), [3, 1, 2, 4])

    def test_both_limits_of_a_batch(self):
        self.submit()
        with get_context().scoped(max_batch_size=1):
            self.assertEqual(self.sizes(), [1])
        with get_context().scoped(max_batch_tokens=5):
            self.assertEqual(self.sizes(), [2, 3])
        self.assertEqual(self.sizes(), [4])
        self.assertEqual(self.sizes(), [])

    def test_a_trial_batch_is_small(self):
        self.submit()
        trial = self.scheduler.next_batch(trial=True)
        self.assertEqual([len(request.words) for request in trial], [1, 2, 3])
        self.assertEqual((token_budget(), token_budget(trial=True)), (48, 8))

    def test_a_text_that_no_batch_holds_is_refused(self):
        with get_context().scoped(max_batch_tokens=2), self.assertRaises(ValueError):
            self.submit(["one two three"])

    def test_a_lost_worker_makes_batches_smaller(self):
        self.submit(["one"] * 9)
        self.scheduler.worker_lost("cpu:3")
        self.assertEqual(self.sizes(), [1, 1, 1, 1])
        self.assertEqual(topology.live_workers(), 3)

    def test_work_is_spread_over_live_workers(self):
        requests = self.submit()
        self.scheduler.run()
        self.assertEqual(
            [request.worker for request in requests],
            ["cpu:2", "cpu:0", "cpu:3", "cpu:1"],
        )
        topology.lose("cpu:0")
        with get_context().scoped(shard_stride=1):
            requests = self.submit()
            self.scheduler.run()
        self.assertEqual(requests[0].worker, "cpu:3")

    def test_the_cache_answers_what_it_knows(self):
        first = self.submit()
        self.scheduler.run()
        again = self.submit()
        self.scheduler.run()
        self.assertEqual(self.scheduler.cache.hits, 4)
        self.assertEqual([r.vector for r in first], [r.vector for r in again])

    def test_an_operator_shrinks_the_cache(self):
        admin.resize(workers=8, cache_entries=1)
        self.submit()
        self.scheduler.run()
        self.assertEqual(len(self.scheduler.cache), 1)
        self.assertEqual(full_share(), 6)
        self.assertEqual(topology.live_workers(), 4)

    def test_own_arguments_win_over_the_process(self):
        own = ServiceArgs(schedule_policy="fifo", workers=2, max_tokens=4)
        self.assertEqual((policy_name(), policy_name(own)), ("shortest", "fifo"))
        self.assertEqual((full_share(), full_share(own)), (12, 24))
        (request,) = self.submit(["one two three"])
        self.assertTrue(is_small(request, get_args()))
        self.assertFalse(is_small(request, own))
