#!/usr/bin/env python3
"""Runs every command of a Markdown file and compares what it prints with what the file shows.

Commands stand in ```console blocks as "$ command" (a trailing backslash continues the line), each
followed by its output. A line "..." stands for any lines. A command must exit with 0, or with N
where its last line says "# exits with N". Commands run one after the other in the given folder.
"""
import argparse
import re
import subprocess
import sys


def commands(markdown):
    """(line number, command, expected exit code, expected lines) of every command."""
    found, current, inside = [], None, False
    for number, line in enumerate(markdown.splitlines(), 1):
        if line.startswith("```"):
            inside = line.strip() == "```console"
            current = None
        elif inside and line.startswith("$ "):
            current = [number, line[2:], 0, []]
            found.append(current)
        elif inside and current and current[1].endswith("\\") and not current[3]:
            current[1] = current[1][:-1] + line.strip()
        elif inside and current:
            current[3].append(line)
    for each in found:
        code = re.search(r"#\s*exits with (\d+)\s*$", each[1])
        if code:
            each[1], each[2] = each[1][: code.start()].rstrip(), int(code.group(1))
    return found


def matches(expected, printed):
    """Whether the lines agree, with "..." for any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(matches(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and expected[0].rstrip() == printed[0].rstrip() and matches(
        expected[1:], printed[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("markdown")
    parser.add_argument("--folder", required=True, help="where the commands run")
    parser.add_argument("--update", action="store_true",
                        help="print what each command prints instead of comparing")
    arguments = parser.parse_args()
    with open(arguments.markdown, encoding="utf-8") as file:
        found = commands(file.read())
    if not found:
        sys.exit(f"{arguments.markdown}: shows no commands")
    failures = 0
    for number, command, code, expected in found:
        run = subprocess.run(["bash", "-c", command], cwd=arguments.folder, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False)
        printed = run.stdout.splitlines()
        if arguments.update:
            print(f"$ {command}", *printed, sep="\n")
            continue
        is_good = run.returncode == code and matches(expected, printed)
        print(f"{'ok' if is_good else 'FAILED'}: {arguments.markdown}:{number}: {command}")
        if is_good:
            continue
        failures += 1
        print(f"exit code {run.returncode}, expected {code}; it printed:", *printed, sep="\n  ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
