"""Progress of a sweep on a terminal; nothing elsewhere."""
import sys
import time


class Progress:
    def __init__(self, total, done_before):
        self._total = total
        self._before = done_before
        self._since = time.monotonic()

    def show(self, done, failed):
        if sys.stderr.isatty():
            trouble = f", {failed} failed" if failed else ""
            sys.stderr.write(f"\r\033[K{done} of {self._total} runs{trouble}{self._left(done)}")
            sys.stderr.flush()

    def clear(self):
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")

    def _left(self, done):
        now = done - self._before
        if now <= 0 or done == self._total:
            return ""
        seconds = round((time.monotonic() - self._since) / now * (self._total - done))
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
        return f", about {clock} left"
