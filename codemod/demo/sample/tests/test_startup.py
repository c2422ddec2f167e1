"""Check, resolve, publish."""

from __future__ import annotations

import unittest
from unittest.mock import patch

from quern import startup
from quern.config import ServiceArgs
from quern.hardware import override_platform
from quern.runtime_context import get_args, get_exec


class StartupTest(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(startup.stop)

    @patch("quern.startup.is_fast_device", return_value=False)
    def test_a_slow_device_gets_the_sparse_kernel(self, _probe):
        startup.start(ServiceArgs())
        self.assertEqual(get_args().kernel, "sparse")

    def test_a_fast_device_gets_the_dense_kernel(self):
        with patch("quern.startup.is_fast_device", return_value=True):
            startup.start(ServiceArgs())
        self.assertEqual(get_exec().kernel.kernel, "dense")

    def test_a_kernel_that_was_asked_for_stays(self):
        startup.start(ServiceArgs(kernel="sparse"))
        self.assertEqual(get_exec().kernel.kernel, "sparse")

    def test_an_old_device_gets_fewer_digits(self):
        with override_platform(generation=1):
            startup.start(ServiceArgs())
        self.assertEqual(get_args().precision, 4)
        with patch.object(startup, "device_generation", return_value=1):
            startup.start(ServiceArgs(precision=3))
        self.assertEqual(get_args().precision, 3)

    def test_what_cannot_work_is_refused(self):
        for wrong in ({"workers": 0}, {"max_batch_tokens": 8}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                startup.start(ServiceArgs(**wrong))
