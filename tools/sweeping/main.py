"""main.py SWEEP.yaml: the figures of a sweep as CSV and SVG; see tools/README.md."""
import argparse
import os
import signal
import sys
from pathlib import Path

from mistakes import RunFailed, UserError
from pools import POOLS

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="tools/sweep", description="the figures of a sweep")
    parser.add_argument("sweep", metavar="SWEEP.yaml", help="a file, or one of yaml/sweeps")
    parser.add_argument("--out", metavar="DIR", help="for the figures (out/sweeps/NAME)")
    parser.add_argument("--on", choices=POOLS, default="local",
                        help="processes here, a job array of Slurm, or ranks of mpirun (local)")
    parser.add_argument("--with", metavar="OPTIONS", default="", dest="options",
                        help="options for sbatch or mpirun in one argument, such as "
                        "'--partition=long --time=1:00:00'")
    parser.add_argument("--jobs", metavar="N", type=count, default=0, help="runs at a time (local: "
                        "one a core; slurm and mpi: as many as there is room for)")
    parser.add_argument("--fresh", action="store_true",
                        help="forget the runs that an earlier call finished")
    parser.add_argument("--check", action="store_true",
                        help="run nothing, only say what is wrong with the sweep or the options")
    parser.add_argument("--only", metavar="FIGURE", action="append", help="repeatable")
    parser.add_argument("--heddle", metavar="PROGRAM", help="the simulator (build/heddle)",
                        default=os.path.relpath(ROOT / "build" / "heddle"))
    return parser.parse_args(with_joined_options(sys.argv[1:]))


def with_joined_options(words):
    """`--with OPTIONS` as `--with=OPTIONS`: argparse takes a value that begins with a dash for an
    option of its own."""
    joined = []
    for word in words:
        if joined and joined[-1] == "--with":
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got '{text}'")
    return int(text)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # runs end with it
    given = arguments()
    from figures import perform  # needs python3-yaml; a question for help does not
    try:
        perform(given, ROOT)
    except RunFailed as error:
        print(error, file=sys.stderr)
        return 1
    except (UserError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on with what is missing", file=sys.stderr)
        return 130
    return 0


sys.exit(main())
