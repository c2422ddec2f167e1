"""Names of other modules, under one roof."""

from app.context import config as SETTINGS
from app.context import get_args
from app.context import get_args as fetch
