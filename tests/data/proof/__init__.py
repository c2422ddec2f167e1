from app.context import get_args
