"""main.py SWEEP.yaml: the figures of a sweep as CSV and SVG; see tools/README.md."""
import argparse
import os
import signal
import sys
from pathlib import Path

from description import find_sweep, read_sweep
from mistakes import RunFailed, UserError, did_you_mean
from plot import write_svg
from results import fill_figures, is_measured, write_csv
from runs import Runs

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="tools/sweep", description="the figures of a sweep")
    parser.add_argument("sweep", metavar="SWEEP.yaml", help="a file, or one of yaml/sweeps")
    parser.add_argument("--out", metavar="DIR", help="for the figures (out/sweeps/NAME)")
    parser.add_argument("--jobs", metavar="N", type=count, help="runs at a time (one a core)",
                        default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", metavar="FIGURE", action="append", help="repeatable")
    parser.add_argument("--heddle", metavar="PROGRAM", help="the simulator (build/heddle)",
                        default=os.path.relpath(ROOT / "build" / "heddle"))
    return parser.parse_args()


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got '{text}'")
    return int(text)


def chosen(sweep, names):
    for name in names or []:
        if name not in sweep.figures:
            raise UserError(f"no figure '{name}' in {sweep.name}"
                            + did_you_mean(name, sweep.figures))
    return [each for name, each in sweep.figures.items() if not names or name in names]


def without_pending(figures):
    """What can be drawn; the rest is told."""
    ready = []
    for figure in figures:
        for curve in figure.curves:
            if curve.pending and not curve.is_hidden:
                print(f"{figure.name}: left out '{curve.name}', pending: {curve.pending}",
                      file=sys.stderr)
        figure.curves = [each for each in figure.curves if not each.pending]
        if any(is_measured(each) for each in figure.curves):
            ready.append(figure)
        else:
            print(f"{figure.name}: not drawn, nothing of it is ready", file=sys.stderr)
    return ready


def perform(given):
    sweep = read_sweep(find_sweep(given.sweep, ROOT))
    figures = without_pending(chosen(sweep, given.only))
    if not os.access(given.heddle, os.X_OK):
        raise UserError(f"cannot run '{given.heddle}': build it with tools/build")
    folder = Path(given.out or f"out/sweeps/{sweep.name}")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"'{folder}' is no folder")
    fill_figures(figures, Runs(given.heddle, sweep.folder), given.jobs)
    folder.mkdir(parents=True, exist_ok=True)
    for figure in figures:
        write_csv(figure, folder / f"{figure.name}.csv")
        write_svg(figure, folder / f"{figure.name}.svg")
        print(f"{figure.name}: {figure.title}")
    print(f"results: {folder}")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # runs end with it
    try:
        perform(arguments())
    except RunFailed as error:
        print(error, file=sys.stderr)
        return 1
    except (UserError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


sys.exit(main())
