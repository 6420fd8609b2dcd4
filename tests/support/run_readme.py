"""Runs a README: run_readme.py README FOLDER

Runs the ```sh blocks one after the other in FOLDER, as one bash session that ends at the first
command that fails. Each line of a ```text block must appear, in order, in what the block before it
printed; `...` stands for any text.
"""
import re
import subprocess
import sys
from pathlib import Path

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END_OF_BLOCK = "end of block"


def blocks_of(readme):
    """(commands, lines that they print) for each ```sh block."""
    blocks = []
    for language, text in FENCED.findall(readme):
        if language == "sh":
            blocks.append((text, []))
        elif language == "text":
            if not blocks:
                sys.exit("a ```text block stands before the first ```sh block")
            blocks[-1][1].extend(text.splitlines())
    if not blocks:
        sys.exit("no ```sh block")
    return blocks


def missing_line(expected, printed):
    """The first expected line that does not follow the ones before it."""
    rest = iter(printed)
    for line in expected:
        pattern = re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")))
        if not any(pattern.fullmatch(each.rstrip()) for each in rest):
            return line
    return None


def main():
    readme, folder = sys.argv[1:]
    blocks = blocks_of(Path(readme).read_text())
    script = "".join(f"{commands}\necho '{END_OF_BLOCK}'\n" for commands, _ in blocks)
    run = subprocess.run(["bash", "-e", "-u", "-o", "pipefail", "-c", script], cwd=folder,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    print(run.stdout)
    printed = run.stdout.split(END_OF_BLOCK + "\n")
    for (commands, expected), lines in zip(blocks, printed):
        line = missing_line(expected, lines.splitlines())
        if line is not None:
            sys.exit(f"{readme}: '{line}' is missing from what this printed:\n{commands}")
    if run.returncode != 0:
        sys.exit(f"{readme}: exit code {run.returncode} in:\n{blocks[len(printed) - 1][0]}")


main()
