"""What runs when."""

from quern.schedule.request import Request
from quern.schedule.scheduler import Scheduler

__all__ = ["Request", "Scheduler"]
