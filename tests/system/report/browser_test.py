"""browser_test.py HEDDLE CHROMIUM: a report in a browser. Every figure equals the one in stats.json,
links.csv or report.json and is written to four digits; nothing is fetched; it is small and there at
once."""
import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trace_events
from browser import Elements, chromium, opened, opened_under_watch

HEDDLE, CHROMIUM = sys.argv[1:3]
MOST_BYTES = 5_000_000
FACTORS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "KiB": 2**10,
           "MiB": 2**20, "GiB": 2**30, "B/s": 1, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9,
           "TB/s": 1e12, "%": 0.01, "x": 1, "": 1}


def heddle(folder, *arguments, code=0):
    done = subprocess.run([HEDDLE, *arguments], cwd=folder, capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def run_of(directory):
    """What the paths of its figures lead into."""
    run = json.loads((directory / "stats.json").read_text())
    with open(directory / "links.csv", encoding="utf-8", newline="") as file:
        run["links"] = list(csv.DictReader(file))
    record = directory / "report.json"
    run["record"] = json.loads(record.read_text()) if record.exists() else {}
    return run


def value_at(runs, run, path):
    """Of "A", "1:A" in another run, or "A / B"."""
    if " / " in path:
        above, below = (value_at(runs, run, each) for each in path.split(" / "))
        return above / below
    number, found, rest = path.partition(":")
    at = runs[int(number) if found else run]
    for name, index in re.findall(r"([A-Za-z_0-9]+)|\[(\d+)\]", rest if found else path):
        at = at[name] if name else at[int(index)]
    return float(at)


def check_text(path, value, text):
    """Four digits, or one behind the point of a percentage; sizes of tiles are no figure alone."""
    found = re.fullmatch(r"([0-9.e+-]+) ?(\S*)", text)
    assert found and found.group(2) in FACTORS, f"{path}: '{text}'"
    factor = FACTORS[found.group(2)]
    shown = float(found.group(1)) * factor
    digits = 5.1e-3 if found.group(2) == "x" else 5.1e-4
    allowed = 0.00051 if found.group(2) == "%" else max(abs(value) * digits, 1e-15)
    assert abs(shown - value) <= allowed, f"{path}: {value} is shown as '{text}'"


def check_figures(elements, runs):
    assert elements.is_drawn, "the pictures were not drawn"
    assert len(elements.figures) > 20, "hardly any figures"
    for run, path, value, text in elements.figures:
        expected = value_at(runs, run, path)
        assert abs(float(value) - expected) <= abs(expected) * 1e-12, f"{path}: {value}"
        if text is not None:
            check_text(path, expected, text)
    assert elements.verdicts == [each["bottleneck"] for each in runs], elements.verdicts


def check_map(elements, run):
    """A wire of an edge is as busy as the busiest link behind it."""
    for edge, (share, links) in elements.edges.items():
        names = [f"{run['links'][i]['from']} -> {run['links'][i]['to']}" for i in links]
        assert share == max(run["busy"].get(name, 0) for name in names), edge


def check_file(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES, len(text)
    for each in re.findall(r'(?:src|href)\s*=(?!"#)|@import|url\(|fetch\(|XMLHttpRequest', text):
        raise AssertionError(f"the page asks for something: {each}")
    sections = re.findall(r'href="#([^"]+)"', text)
    assert sections and all(text.count(f'id="{each}"') == 1 for each in sections), sections


def test_report(folder):
    heddle(folder, "run", "scin_dgx8.yaml", "--set", "workload.algorithm=scin", "--set",
           "workload.bytes=1 MiB", "--quiet", "--out", "scin", "--report", "scin.html",
           "--perfetto", "scin.json")
    check_file(folder / "scin.html")
    page, seconds = opened(CHROMIUM, folder / "scin.html")
    print(f"drawn after {seconds} s")
    elements = Elements(page)
    run = run_of(folder / "scin")
    check_figures(elements, [run])
    check_map(elements, run)
    assert len(elements.edges) == 64, elements.edges  # 8 accelerators, 4 switches, both directions
    assert elements.counts["canvas"] == 2 and elements.counts["svg"] == 3, elements.counts
    categories = {found.group(1) for _, path, _, _ in elements.figures
                  if (found := re.search(r"\.breakdown\.(\w+)", path))}
    assert categories == {name for name, s in run["collectives"][0]["breakdown"].items() if s}
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
    factors = [path for _, path, _, _ in elements.figures if path.startswith("1:") and " / 0:" in path]
    assert len(factors) > 5, factors


def test_mesh(folder):
    heddle(folder, "run", "mesh_tiles.yaml", "--quiet", "--out", "mesh", "--report", "mesh.html")
    page = chromium(CHROMIUM, folder / "mesh.html", "--dump-dom")
    elements = Elements(page)
    run = run_of(folder / "mesh")
    check_figures(elements, [run])
    check_map(elements, run)
    assert elements.edges

    def height_of(tile):  # North is up, as in the heat map beside the results.
        label = re.search(rf'<text [^>]*y="([0-9.]+)"[^>]*>{re.escape(tile)}<', page)
        return -float(label.group(1))

    assert height_of("tile[0]") == height_of("tile[3]") < height_of("tile[4]") < height_of("tile[12]")


def test_stopped_run(folder):
    """No job has ended: shares are of the run. The last label of the time line lies at its edge."""
    heddle(folder, "run", "ring_allreduce.yaml", "--set", "params.gpus=2", "--set",
           "workload.bytes=1 MiB", "--until", "8 us", "--quiet", "--out", "stopped", "--report",
           "stopped.html", code=1)
    page, cut = opened_under_watch(CHROMIUM, folder / "stopped.html")
    assert not cut, cut
    elements = Elements(page)
    run = run_of(folder / "stopped")
    check_map(elements, run)
    assert len(elements.edges) == 16, elements.edges
    for edge, (share, links) in elements.edges.items():
        assert share > 0.1, f"{edge}: {share}"
        assert abs(share - float(run["links"][links[0]]["utilization"])) < 1e-6, edge
    assert "share of the run in which a wire carried bytes" in page


def caption_of_path(page):
    text = chromium(CHROMIUM, page, "--dump-dom")
    return re.sub("<[^>]*>", "", re.search("<h2>Critical path(.*?)</h2>", text).group(1))


def test_long_job_behind_short_ones(folder):
    """The critical path is that of the last job, or of the last one that was explained."""
    run = ("run", "host_copy.yaml", "--quiet", "--out", "copy", "--report", "copy.html")
    heddle(folder, *run)
    rows = run_of(folder / "copy")["collectives"]
    assert "breakdown" in rows[1] and "breakdown" not in rows[2], rows
    caption = caption_of_path(folder / "copy.html")
    assert " by write, 256 KiB (the last job was not explained)" in caption, caption
    heddle(folder, *run, "--set", "workload.explain=on")
    caption = caption_of_path(folder / "copy.html")
    assert " by write, 16 MiB; click" in caption, caption


def main():
    with tempfile.TemporaryDirectory(prefix="heddle-report-") as name:
        for test in (test_report, test_two_runs, test_mesh, test_stopped_run,
                     test_long_job_behind_short_ones):
            since = time.monotonic()
            test(Path(name))
            print(f"{test.__name__}: {time.monotonic() - since:.1f} s")


main()
