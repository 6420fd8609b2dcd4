"""What a call of tools/sweep asks for, from the description to the files."""
import os
import sys
from pathlib import Path

from description import find_sweep, read_sweep
from mistakes import UserError, did_you_mean
from plot import check_figure, write_svg
from results import fill_figures, is_measured, write_csv
from runs import Runs, Where, alone_in, forget_all


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


def perform(given, root):
    sweep = read_sweep(find_sweep(given.sweep, root))
    asked = chosen(sweep, given.only)
    if given.check:
        return
    figures = without_pending(asked)
    if not os.access(given.heddle, os.X_OK):
        raise UserError(f"cannot run '{given.heddle}': build it with tools/build")
    folder = Path(given.out or f"out/sweeps/{sweep.name}")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"'{folder}' is no folder")
    at_once = given.jobs or (len(os.sched_getaffinity(0)) if given.on == "local" else 0)
    points = folder / "points"
    with alone_in(points):
        if given.fresh:
            forget_all(points)
        remove_results(asked, folder)
        fill_figures(figures, Runs(given.heddle, sweep.folder, points,
                                   Where(given.on, at_once, given.options)))
        for figure in figures:
            check_figure(figure)
        for figure in figures:
            write_csv(figure, folder / f"{figure.name}.csv")
            write_svg(figure, folder / f"{figure.name}.svg")
            print(f"{figure.name}: {figure.title}")
    print(f"results: {folder}")


def remove_results(figures, folder):
    """Those of an earlier call: what lies there after a call that failed would be taken for its
    results."""
    for figure in figures:
        for ending in ("csv", "svg"):
            (folder / f"{figure.name}.{ending}").unlink(missing_ok=True)
