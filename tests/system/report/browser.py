"""A page as a browser without network shows it: its elements after its scripts have run, and its
picture."""
import subprocess
import tempfile
from html.parser import HTMLParser

SIZE = "1280,800"


def chromium(program, page, *options):
    with tempfile.TemporaryDirectory(prefix="heddle-browser-") as profile:
        done = subprocess.run(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
             f"--user-data-dir={profile}", f"--window-size={SIZE}", "--virtual-time-budget=20000",
             *options, page.resolve().as_uri()],
            capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Elements(HTMLParser):
    """Figures with their paths, pictures that were drawn, and whether all of them were."""

    def __init__(self, text):
        super().__init__()
        self.figures = []  # [(run, path, value, text)]
        self.is_drawn = False
        self.counts = {}
        self.edges = set()
        self._run = 0
        self._open = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "body":
            self.is_drawn = attributes.get("data-drawn") == "yes"
        if tag == "article":
            self._run = int(attributes["data-run"])
        if "data-edge" in attributes:
            self.edges.add(attributes["data-edge"])
        if "data-path" in attributes:
            self.figures.append([self._run, attributes["data-path"], attributes["value"], None])
            self._open = self.figures[-1] if tag == "data" else None

    def handle_data(self, data):
        if self._open:
            self._open[3] = (self._open[3] or "") + data

    def handle_endtag(self, tag):
        if tag == "data":
            self._open = None
