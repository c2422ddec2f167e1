"""Tokens, kernels, cache, devices and runners."""

from __future__ import annotations

from unittest.mock import patch

from quern.compute import devices, kernels
from quern.compute.cache import LruCache, VectorCache, make_cache
from quern.compute.runner import Runner
from quern.compute.tokens import fits, is_cut, split
from quern.config import ServiceArgs
from quern.runtime_context import get_args, get_context
from tests.support import ServiceTest

WORDS = "mill stone mill grain husk stone river sack oven mill".split()


class TokensTest(ServiceTest):
    def test_short_words_and_the_rest_of_a_long_text_go(self):
        with get_context().scoped(min_length=3, max_tokens=2):
            self.assertEqual(split("an old mill by the river"), ["old", "mill"])
            self.assertTrue(is_cut("an old mill by the river"))
            self.assertFalse(is_cut("an old mill"))

    def test_own_arguments_win(self):
        own = ServiceArgs(max_batch_tokens=3)
        self.assertTrue(fits(WORDS))
        self.assertFalse(fits(WORDS, own))


class KernelsTest(ServiceTest):
    def test_both_kernels_agree(self):
        for weighting in ("log", "count", "binary"):
            with get_context().scoped(weighting=weighting, kernel_block=2):
                self.assertEqual(kernels.dense(WORDS), kernels.sparse(WORDS))

    def test_weighting_is_read_each_time(self):
        with get_context().scoped(weighting="count"):
            self.assertEqual(kernels.weight(3), 3.0)
        with get_context().scoped(weighting="binary"):
            self.assertEqual(kernels.weight(3), 1.0)
        with get_context().scoped(weighting="odd"), self.assertRaises(LookupError):
            kernels.weight(3)

    def test_seed_and_length_decide_where_a_word_goes(self):
        before = [kernels.bucket(word) for word in WORDS]
        with get_context().scoped(seed=8):
            self.assertNotEqual([kernels.bucket(word) for word in WORDS], before)
        with get_context().scoped(dim=1):
            self.assertEqual({kernels.bucket(word)[0] for word in WORDS}, {0})

    def test_a_wide_machine_takes_whole_lanes(self):
        self.assertEqual(kernels.step(), 5)
        with patch("quern.compute.kernels.has_wide_lanes", return_value=True):
            with get_context().scoped(kernel_block=2):
                self.assertEqual(kernels.step(), kernels.LANES)

    def test_an_unknown_kernel_is_named(self):
        with self.assertRaisesRegex(LookupError, "only dense, sparse"):
            kernels.kernel_named("odd")


class CacheTest(ServiceTest):
    arguments = {"cache_entries": 2}

    def keys_after_touch(self, cache: VectorCache) -> list[str]:
        for key in ("a", "b"):
            cache.put((key,), (1.0,))
        cache.get(("a",))
        cache.put(("c",), (1.0,))
        return [key for key in "abc" if cache.get((key,))]

    def test_policy_decides_what_goes(self):
        self.assertEqual(self.keys_after_touch(make_cache(get_args())), ["a", "c"])
        with get_context().scoped(cache_policy="fifo"):
            self.assertEqual(self.keys_after_touch(make_cache(get_args())), ["b", "c"])

    def test_a_new_limit_counts_at_once(self):
        cache = LruCache()
        with get_context().scoped(cache_entries=3):
            for key in ("a", "b", "c"):
                cache.put((key,), (1.0,))
            self.assertEqual((len(cache), cache.room()), (3, 0))
        cache.put(("d",), (1.0,))
        self.assertEqual(len(cache), 2)


class DevicesTest(ServiceTest):
    arguments = {"device": "npu"}

    def test_kind_comes_from_the_arguments(self):
        self.assertEqual(str(devices.get_device(2)), "npu:2")
        self.assertEqual(devices.qualified_name(1), "pod-a/npu:1")
        self.assertEqual(devices.qualified_name(7), "host/npu:7")

    def test_a_spare_is_beyond_the_workers(self):
        own = ServiceArgs(device="tpu", workers=9)
        self.assertEqual(str(devices.spare(4)), "npu:4")
        self.assertEqual(str(devices.spare(9, own)), "tpu:9")
        with self.assertRaises(ValueError):
            devices.spare(4, own)


class RunnerTest(ServiceTest):
    def test_a_preview_has_its_own_kernel_and_digits(self):
        runner, preview = Runner(get_args()), Runner(get_args(), preview=True)
        self.assertEqual(runner.label, "dense/6 of 12 on cpu:0")
        self.assertEqual(preview.label, "sparse/2 of 12 on cpu:1")
        exact, rough = (r.run([tuple(WORDS)])[0] for r in (runner, preview))
        self.assertNotEqual(exact, rough)
        self.assertEqual(rough, tuple(round(value, 2) for value in exact))
        self.assertEqual((get_args().kernel, get_args().precision), ("dense", 6))
