"""Whether help, and what `heddle docs` writes, has what people look up there:
check_program_pages.py HEDDLE
"""
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

NOT_CLOSED = {"meta"}
COMPLETE = """
. "$1"
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_heddle
echo "${COMPREPLY[*]}"
"""
failures = []


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def printed(*words):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout


class Page(HTMLParser):
    """Elements that are open, anchors, and the links to them."""

    def __init__(self):
        super().__init__()
        self.open, self.anchors, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in NOT_CLOSED:
            self.open.append(tag)
        self.anchors += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []

    def handle_endtag(self, tag):
        expect(self.open and self.open.pop() == tag, f"heddle.html: </{tag}> at {self.getpos()}")


def check_help(heddle):
    program = printed(heddle, "--help")
    expect("Exit codes: 0 all is done and right; 1 " in program, "heddle --help: no exit codes")
    commands = [line.split()[0] for line in program.split("Subcommands:")[1].splitlines()
                if line.startswith("  ")]
    expect(len(commands) > 10, "heddle --help: no commands")
    for each in [[name] for name in commands] + [["mmio", "replay"], ["mmio", "diff"]]:
        text = printed(heddle, *each, "--help")
        expect("Exit codes: 0 " in text, f"heddle {' '.join(each)} --help: no exit codes")
    for command, default in [("run", "alone; results stay the same (default: 1)"),
                             ("bench", "median is printed (default: 1)"),
                             ("quantize", "8, 4 or 8,4 (default: 8,4)")]:
        expect(default in printed(heddle, command, "--help"), f"heddle {command} --help: defaults")


def check_page(text):
    page = Page()
    page.feed(text)
    expect(not page.open, f"heddle.html: {page.open} stay open")
    for each in page.links:
        expect(each[1:] in page.anchors, f"heddle.html: nothing is at {each}")
    for each in {each for each in page.anchors if page.anchors.count(each) > 1}:
        expect(False, f"heddle.html: several places are #{each}")
    for what in ["<h2 id=\"netlist-the-netlist-language\">", "<h3 id=\"netlist-routing\">",
                 "<code>dimension_order</code>", "<pre><code>mkdir -p out\n", "<td>busbw</td>",
                 "<li><code>--set PATH=VALUE</code> sets any value",
                 "<a href=\"#netlist-trains\">Trains</a>",
                 "<code>heddle mmio replay [OPTIONS] NETLIST UNIT LOG</code>",
                 "<code>--ignore-time</code>", "the median is printed (default: 1)"]:
        expect(what in text, f"heddle.html: no {what}")


def check_completion(folder, words, expected):
    given = printed("bash", "-c", COMPLETE, "bash", str(folder / "completions/heddle.bash"), *words)
    expect(given.split() == expected, f"completion of {words}: {given}")


def main():
    heddle = sys.argv[1]
    check_help(heddle)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        printed(heddle, "docs", name)
        check_page((folder / "heddle.html").read_text())
        replay = (folder / "man1/heddle-mmio-replay.1").read_text()
        expect(".B heddle mmio replay\n" in replay and ".B LOG\n" in replay, "heddle-mmio-replay(1)")
        for each in (folder / "man1").iterdir():
            expect(".SH EXIT STATUS\n0 all is done" in each.read_text(), f"{each.name}: exit status")
        check_completion(folder, ["heddle", "mmio", "re"], ["replay"])
        check_completion(folder, ["heddle", "mmio", "diff", "--ig"], ["--ignore-time"])
        check_completion(folder, ["heddle", "bench", "--r"], ["--runs"])
        for each in ["_heddle", "heddle.fish"]:
            expect("replay" in (folder / "completions" / each).read_text(), f"{each}: no mmio replay")
    print("\n".join(failures))
    sys.exit(bool(failures))


main()
