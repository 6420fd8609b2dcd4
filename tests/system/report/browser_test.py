"""browser_test.py HEDDLE CHROMIUM: a report in a browser. Every figure equals the one in stats.json
or links.csv and is written to four digits; nothing is fetched; it is small and there at once."""
import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trace_events
from browser import Elements, chromium

HEDDLE, CHROMIUM = sys.argv[1:3]
MOST_BYTES = 5_000_000
FACTORS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "KiB": 2**10,
           "MiB": 2**20, "GiB": 2**30, "B/s": 1, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9,
           "TB/s": 1e12, "%": 0.01, "": 1}


def heddle(folder, *arguments):
    done = subprocess.run([HEDDLE, *arguments], cwd=folder, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_of(directory):
    with open(directory / "links.csv", encoding="utf-8", newline="") as file:
        links = list(csv.DictReader(file))
    return json.loads((directory / "stats.json").read_text()), links


def value_at(run, path):
    stats, links = run
    at = {**stats, "links": links}
    for name, index in re.findall(r"([A-Za-z_0-9]+)(?:\[(\d+)\])?", path):
        at = at[name]
        if index:
            at = at[int(index)]
    return float(at)


def check_text(path, value, text):
    """Four digits, or one behind the point of a percentage; sizes of tiles are no figure alone."""
    found = re.fullmatch(r"([0-9.e+-]+) ?(\S*)", text)
    assert found and found.group(2) in FACTORS, f"{path}: '{text}'"
    factor = FACTORS[found.group(2)]
    shown = float(found.group(1)) * factor
    allowed = 0.00051 if found.group(2) == "%" else max(abs(value) * 5.1e-4, 1e-15)
    assert abs(shown - value) <= allowed, f"{path}: {value} is shown as '{text}'"


def check_figures(elements, runs):
    assert elements.is_drawn, "the pictures were not drawn"
    assert len(elements.figures) > 20, "hardly any figures"
    for run, path, value, text in elements.figures:
        expected = value_at(runs[run], path)
        assert abs(float(value) - expected) <= abs(expected) * 1e-12, f"{path}: {value}"
        if text is not None:
            check_text(path, expected, text)


def check_file(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES, len(text)
    for each in re.findall(r"(?:src|href)\s*=|@import|url\(|fetch\(|XMLHttpRequest", text):
        raise AssertionError(f"the page asks for something: {each}")


def test_report(folder):
    heddle(folder, "run", "scin_dgx8.yaml", "--set", "workload.algorithm=scin", "--set",
           "workload.bytes=1 MiB", "--quiet", "--out", "scin", "--report", "scin.html",
           "--perfetto", "scin.json")
    check_file(folder / "scin.html")
    elements = Elements(chromium(CHROMIUM, folder / "scin.html", "--dump-dom"))
    run = run_of(folder / "scin")
    check_figures(elements, [run])
    assert len(elements.edges) == 64, elements.edges  # 8 accelerators, 4 switches, both directions
    assert elements.counts["canvas"] == 2 and elements.counts["svg"] == 3, elements.counts
    categories = {path.rpartition(".")[2] for _, path, _, _ in elements.figures
                  if ".breakdown." in path}
    assert categories == {name for name, s in run[0]["collectives"][0]["breakdown"].items() if s}
    counts = trace_events.check(json.loads((folder / "scin.json").read_text()))
    assert min(counts.values()) > 100, counts


def test_two_runs(folder):
    heddle(folder, "run", "scin_dgx8.yaml", "--set", "workload.algorithm=ring", "--set",
           "workload.bytes=1 MiB", "--quiet", "--out", "ring")
    said = heddle(folder, "report", "scin", "ring", "--out", "both.html")
    assert said == "report: both.html\n", said
    check_file(folder / "both.html")
    elements = Elements(chromium(CHROMIUM, folder / "both.html", "--dump-dom"))
    check_figures(elements, [run_of(folder / "scin"), run_of(folder / "ring")])
    assert {run for run, *_ in elements.figures} == {0, 1}


def test_mesh(folder):
    heddle(folder, "run", "mesh_tiles.yaml", "--quiet", "--out", "mesh", "--report", "mesh.html")
    elements = Elements(chromium(CHROMIUM, folder / "mesh.html", "--dump-dom"))
    check_figures(elements, [run_of(folder / "mesh")])
    assert elements.edges


def main():
    with tempfile.TemporaryDirectory(prefix="heddle-report-") as name:
        for test in (test_report, test_two_runs, test_mesh):
            since = time.monotonic()
            test(Path(name))
            print(f"{test.__name__}: {time.monotonic() - since:.1f} s")


main()
