"""A service that is started for one test."""

from __future__ import annotations

import unittest
from typing import Any

from quern import startup
from quern.config import ServiceArgs


class ServiceTest(unittest.TestCase):
    """Starts the service before each test, with ``arguments`` of the class."""

    arguments: dict[str, Any] = {}

    def setUp(self) -> None:
        self.service_args = ServiceArgs(**self.arguments)
        self.addCleanup(startup.stop)
        startup.start(self.service_args)
