"""Files appear whole or not at all."""
import os
from contextlib import contextmanager


@contextmanager
def whole_file(path):
    """Gives a temporary name; what was written there appears under its own name in the end."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
