"""A page as a browser without network shows it: its elements after its scripts have run, and its
picture."""
import re
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path

SIZE = "1280,800"


def opened(program, page):
    """The page, and the seconds until its last picture is drawn, without the time that the browser
    itself takes to start."""
    with tempfile.TemporaryDirectory(prefix="heddle-page-") as folder:
        timed = Path(folder) / "timed.html"
        timed.write_text(page.read_text(encoding="utf-8").replace(
            "</body>", "<script>document.body.dataset.opened = performance.now()</script></body>"))
        shown = chromium(program, timed, "--dump-dom")
    return shown, float(re.search(r'data-opened="([0-9.]+)"', shown).group(1)) / 1000


# Keeps each text that is drawn on a canvas and does not fit into it.
WATCH = """<script>{
  const pen = CanvasRenderingContext2D.prototype, draw = pen.fillText;
  document.body.dataset.cut = "";
  pen.fillText = function(text, x, ...rest) {
    document.body.dataset.labels = Number(document.body.dataset.labels || 0) + 1;
    if (x < 0 || x + this.measureText(text).width > this.canvas.clientWidth)
      document.body.dataset.cut += text + ";";
    return draw.call(this, text, x, ...rest);
  };
}</script>"""


def opened_under_watch(program, page):
    """The page, and the texts on its canvases that do not fit into them."""
    with tempfile.TemporaryDirectory(prefix="heddle-page-") as folder:
        watched = Path(folder) / "watched.html"
        watched.write_text(page.read_text(encoding="utf-8").replace("<body>", "<body>" + WATCH, 1))
        shown = chromium(program, watched, "--dump-dom")
    assert int(re.search(r'data-labels="([0-9]+)"', shown).group(1)) > 5, "hardly any labels"
    return shown, re.search(r'data-cut="([^"]*)"', shown).group(1)


def chromium(program, page, *options):
    with tempfile.TemporaryDirectory(prefix="heddle-browser-") as profile:
        done = subprocess.run(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
             f"--user-data-dir={profile}", f"--window-size={SIZE}",
             *options, page.resolve().as_uri()],
            capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Elements(HTMLParser):
    """Figures with their paths, the verdict, pictures that were drawn, and whether all of them
    were."""

    def __init__(self, text):
        super().__init__()
        self.figures = []  # [(run, path, value, text)]; of a part of a picture the text is None
        self.verdicts = []
        self.is_drawn = False
        self.counts = {}
        self.edges = {}  # name: (share of the time that its wires carried bytes, links)
        self._run = 0
        self._open = None
        self._is_verdict = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "body":
            self.is_drawn = attributes.get("data-drawn") == "yes"
        if tag == "article":
            self._run = int(attributes["data-run"])
        if "data-edge" in attributes:
            links = [int(each) for each in attributes["data-links"].split(",")]
            self.edges[attributes["data-edge"]] = (float(attributes["data-busy"]), links)
        if "data-path" in attributes:
            self.figures.append([self._run, attributes["data-path"], attributes["value"], None])
            self._open = self.figures[-1] if tag in ("data", "tspan") else None
        if attributes.get("class") == "verdict":
            self._is_verdict = True
            self.verdicts.append("")

    def handle_data(self, data):
        if self._open:
            self._open[3] = (self._open[3] or "") + data
        if self._is_verdict:
            self.verdicts[-1] += data

    def handle_endtag(self, tag):
        if tag in ("data", "tspan"):
            self._open = None
        if tag == "p":
            self._is_verdict = False
