"""check_layering.py TREE: the rules of the house that file names and #include lines show.

Includes point one way, platform <- transactors <- models, also from folder to folder of platform
and of models, where they form no circle; firmware sees itself, the headers that
are generated from *.regs.yaml, and the freestanding headers of C; nothing else lies at the top.
Headers are guarded, and a source includes the header beside it first, which shows that the header
compiles on its own.
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


def includes_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield path, number, found.group(1)


def includes(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".c", ".h", ".cpp", ".hpp"}:
            yield from includes_of(path)


def mistakes_of_headers(tree, folder):
    for path in sorted(folder.rglob("*.hpp")):
        header = path.relative_to(tree)
        if "#pragma once" not in path.read_text().splitlines():
            yield f"{header}:1: not guarded by #pragma once"
        source = path.with_suffix(".cpp")
        if not source.exists():
            continue
        _, number, first = next(includes_of(source), (source, 1, "nothing"))
        if first != f'"{header}"':
            yield (f"{source.relative_to(tree)}:{number}: includes {first} before "
                   f'"{header}", which has to compile on its own')


def folder_graph(tree, layer):
    """By folder: the folders of the layer that its files include, each with a place."""
    graph = {}
    for path, number, included in includes(tree / layer):
        here, there = path.parent.relative_to(tree), Path(included.strip('"<>')).parent
        if there.parts[:1] == (layer,) and there != here:
            graph.setdefault(here, {}).setdefault(there, f"{path.relative_to(tree)}:{number}")
    return graph


def circles(graph):
    """A circle of folders for each inclusion that closes one."""
    done = set()

    def visit(folder, way):
        for next_folder, place in sorted(graph.get(folder, {}).items()):
            if next_folder in way:
                circle = [*way[way.index(next_folder):], next_folder]
                yield f"{place}: closes a circle: " + " -> ".join(map(str, circle))
            elif next_folder not in done:
                yield from visit(next_folder, [*way, next_folder])
        done.add(folder)

    for folder in sorted(graph):
        if folder not in done:
            yield from visit(folder, [folder])


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
    for layer in FORBIDDEN:
        mistakes.extend(mistakes_of_headers(tree, tree / layer))
    for layer in ("platform", "models"):
        mistakes.extend(circles(folder_graph(tree, layer)))
    sys.exit("\n".join(mistakes) or None)


main()
