#!/usr/bin/env python3
"""What every claim of a source comes to now, against the table that is stored here.

    tests/fidelity/verdicts.py noc scin nvls            # compare; 1 if a row differs
    tests/fidelity/verdicts.py --write noc scin nvls    # write the tables anew

verdicts/noc.txt is `heddle reproduce 'noc.*'`: row, our figure as it is printed, verdict. Simulated
time does not depend on the machine, so that figures are compared digit for digit: one that moved
is a mechanism that changed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "heddle")


def reproduce(heddle, source):
    """What is known now: {row: (figure with its unit, verdict)}."""
    with tempfile.TemporaryDirectory() as folder:
        rows = os.path.join(folder, "rows.json")
        if subprocess.run([heddle, "reproduce", source + ".*", "--json", rows],
                          check=False, stdout=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"heddle reproduce '{source}.*' failed")
        with open(rows, encoding="utf-8") as file:
            return {row_name(row): (f"{row['ours']:.5g} {row['unit']}", row["verdict"])
                    for row in json.load(file) if row["verdict"] != "not built"}


def row_name(row):
    return f"{row['id']} {row['case']}".strip()


def stored_path(source):
    return os.path.join(HERE, "verdicts", source + ".txt")


def read_stored(source):
    with open(stored_path(source), encoding="utf-8") as file:
        lines = [re.split(r" {2,}", line.strip()) for line in file if not line.startswith("#")]
    return {row: (figure, verdict) for row, figure, verdict in lines}


def write(source, now):
    width = max(map(len, now))
    with open(stored_path(source), "w", encoding="utf-8") as file:
        file.write(f"# heddle reproduce '{source}.*'; see ../verdicts.py\n")
        for row, (figure, verdict) in now.items():
            file.write(f"{row:<{width}}  {figure:<16}  {verdict}\n")


def differences(stored, now):
    """A line for each row that differs."""
    shown = lambda entry: ", ".join(entry) if entry else "no such row"
    return [f"{row}: stored {shown(stored.get(row))}; now {shown(now.get(row))}"
            for row in {**stored, **now} if stored.get(row) != now.get(row)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the tables anew")
    parser.add_argument("--heddle", default=BUILT, help="the program (build/heddle)")
    parser.add_argument("source", nargs="+", help="noc, scin, nvls: the claims' first word")
    given = parser.parse_args()
    different = 0
    for source in given.source:
        now = reproduce(given.heddle, source)
        if given.write:
            write(source, now)
            continue
        lines = differences(read_stored(source), now)
        print(f"{source}: {len(now)} rows, {len(lines)} differ from {stored_path(source)}")
        print("".join(f"  {line}\n" for line in lines), end="")
        different += len(lines)
    if different:
        print("if a mechanism was changed on purpose: tests/fidelity/verdicts.py --write",
              *given.source)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
