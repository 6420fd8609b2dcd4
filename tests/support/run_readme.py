"""Runs a README: run_readme.py README FOLDER [SECTION]

Runs the ```sh blocks one after the other in FOLDER, as one bash session that ends at the first
command that fails. Each line of a ```text block must appear, in order, in what the block before it
printed; `...` stands for any text. With SECTION, the heading of one, its blocks alone.

run_readme.py --sections README prints the headings of those that have commands.
"""
import re
import subprocess
import sys
from pathlib import Path

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PIECE = re.compile(r"^#+ (?P<heading>[^\n]*)$|" + FENCED.pattern, re.MULTILINE | re.DOTALL)
END_OF_BLOCK = "end of block"


def sections_of(readme):
    """{heading: [(commands, lines that they print) for each ```sh block]}, of those that have any.

    A comment inside a block is no heading: blocks are found whole.
    """
    sections, heading = {}, ""
    for piece in PIECE.finditer(readme):
        language, text = piece.group(2), piece.group(3)
        if text is None:
            heading = piece.group("heading")
        elif language == "sh":
            sections.setdefault(heading, []).append((text, []))
        elif language == "text":
            if heading not in sections:
                sys.exit(f"a ```text block stands before the first ```sh block of '{heading}'")
            sections[heading][-1][1].extend(text.splitlines())
    if not sections:
        sys.exit("no ```sh block")
    return sections


def missing_line(expected, printed):
    """The first expected line that does not follow the ones before it."""
    rest = iter(printed)
    for line in expected:
        pattern = re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")))
        if not any(pattern.fullmatch(each.rstrip()) for each in rest):
            return line
    return None


def run(readme, folder, blocks):
    script = "".join(f"{commands}\necho '{END_OF_BLOCK}'\n" for commands, _ in blocks)
    session = subprocess.run(["bash", "-e", "-u", "-o", "pipefail", "-c", script], cwd=folder,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
    print(session.stdout)
    printed = session.stdout.split(END_OF_BLOCK + "\n")
    for (commands, expected), lines in zip(blocks, printed):
        line = missing_line(expected, lines.splitlines())
        if line is not None:
            sys.exit(f"{readme}: '{line}' is missing from what this printed:\n{commands}")
    if session.returncode != 0:
        sys.exit(f"{readme}: exit code {session.returncode} in:\n{blocks[len(printed) - 1][0]}")


def main():
    if sys.argv[1] == "--sections":
        print("\n".join(sections_of(Path(sys.argv[2]).read_text())))
        return
    readme, folder = sys.argv[1:3]
    sections = sections_of(Path(readme).read_text())
    if len(sys.argv) == 4:
        blocks = sections[sys.argv[3]]
    else:
        blocks = [block for each in sections.values() for block in each]
    run(readme, folder, blocks)


main()
