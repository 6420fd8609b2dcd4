"""check_layering.py TREE: the rules of the house that file names and #include lines show.

Includes point one way, platform <- transactors <- models; firmware sees itself, the headers that
are generated from *.regs.yaml, and the freestanding headers of C; nothing else lies at the top.
A source includes the header beside it first, so that the header is compiled on its own.
"""
import re
import sys
from pathlib import Path

TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "models", "platform", "sw", "tests", "tools", "transactors", "waveforms", "yaml",
}
UNTRACKED = re.compile(r"build.*|out")  # as .gitignore says
FORBIDDEN = {
    "platform": re.compile(r'"(\.\.|transactors|models|tests)/'),
    "transactors": re.compile(r'"(\.\.|models|tests)/'),
    "models": re.compile(r'"(\.\.|tests)/'),
}
FIRMWARE_MAY = re.compile(
    r'"((hal|drivers|collectives|kernels)/\w+\.h|regs/\w+_regs\.h)"'
    r"|<(stdbool|stddef|stdint|limits|stdarg|stdalign|stdnoreturn)\.h>")
INCLUDE = re.compile(r"^\s*#\s*include\s*(\S+)")


def includes(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".c", ".h", ".cpp", ".hpp"}:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found:
                yield path, number, found.group(1)


def main():
    tree = Path(sys.argv[1])
    mistakes = []
    for entry in sorted(tree.iterdir()):
        name = entry.name
        if not (name in TOP_LEVEL or name.startswith(".") or UNTRACKED.fullmatch(name)):
            mistakes.append(f"{name}: the top level holds nothing else than {sorted(TOP_LEVEL)}")
    for layer, forbidden in FORBIDDEN.items():
        for path, number, included in includes(tree / layer):
            if forbidden.match(included):
                mistakes.append(f"{path.relative_to(tree)}:{number}: {layer}/ may not include "
                                f"{included}: includes point platform <- transactors <- models")
    for path, number, included in includes(tree / "sw"):
        if not FIRMWARE_MAY.fullmatch(included):
            mistakes.append(f"{path.relative_to(tree)}:{number}: firmware may not include "
                            f"{included}: it sees hal/, drivers/, collectives/, kernels/ and regs/")
    for path in sorted(path for layer in FORBIDDEN for path in (tree / layer).rglob("*.hpp")):
        header = path.relative_to(tree)
        if "\n#pragma once\n" not in "\n" + path.read_text():
            mistakes.append(f"{header}:1: a header is guarded by #pragma once")
        own_source = path.with_suffix(".cpp")
        if own_source.exists():
            first = next((line for line in own_source.read_text().splitlines()
                          if INCLUDE.match(line)), "")
            if first != f'#include "{header}"':
                mistakes.append(f"{own_source.relative_to(tree)}:1: includes {header} first, "
                                "so that it compiles on its own")
    sys.exit("\n".join(mistakes) or None)


main()
