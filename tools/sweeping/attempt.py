"""What the workers of one call of a sweep share. They write here alone: those of a call that was
killed may outlive it, and cannot change what the next one finds."""
import os
import shutil
import tempfile

PREFIX = ".attempt-"


class Attempt:
    """A folder among the points, with a claim and a record of each run that a worker took."""

    def __init__(self, points):
        self._points = points
        self.folder = points.folder / os.path.basename(
            tempfile.mkdtemp(prefix=PREFIX, dir=points.folder))
        for name in ("claims", "records"):
            (self.folder / name).mkdir()

    def collect(self, key):
        """Whether the run has a record; if so it is a point from now on."""
        try:
            os.replace(self.folder / "records" / f"{key}.json", self._points.path(key))
        except FileNotFoundError:
            return False
        return True


def take_over(points):
    """Ends every attempt among the points; what succeeded there is a point."""
    for folder in points.folder.glob(f"{PREFIX}*"):
        if not folder.name.endswith(".over"):  # from here on its workers find nothing
            folder = folder.rename(folder.with_name(folder.name + ".over"))
        for record in (folder / "records").glob("*.json"):
            if points.has_succeeded(record):
                os.replace(record, points.folder / record.name)
        shutil.rmtree(folder, ignore_errors=True)
