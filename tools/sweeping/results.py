"""Curves filled from runs, and a CSV a figure; files appear whole or not at all."""
import csv
from dataclasses import dataclass

from curves import LevelCurve, PointsCurve, RatioCurve, RunCurve
from description import Part
from runs import Job
from selector import check_sizes
from whole_file import whole_file

COLUMNS = ["figure", "curve", "x", "y", "unit", "netlist", "settings"]


@dataclass
class Point:
    """Where a point of a curve comes from."""
    x: float
    part: Part
    job: Job
    index: int  # of its collective in the run


def request(curve, runs):
    run = curve.run
    points = []
    for part in run.parts:
        if curve.selector.is_indexed():  # then the run is over sizes
            job = runs.job_of_all(run, part)
            points += [Point(x, part, job, i) for i, (_, x) in enumerate(part.values)]
        else:
            points += [Point(x, part, runs.job_of_one(run, part, text), 0)
                       for text, x in part.values]
    return points


def fill(curve, points):
    for each in points:
        stats = each.job.stats
        settings = "; ".join(f"{path}={text}" for path, text in each.part.settings)
        if curve.along:
            curve.data = [(x, y * curve.scale) for x, y in series(curve, stats)]
            curve.point_settings = [settings] * len(curve.data)
            continue
        if curve.selector.is_indexed():
            check_sizes(stats, [x for _, x in each.part.values], curve.selector.node)
        curve.data.append((each.x, curve.selector.value(stats, each.index) * curve.scale))
        curve.point_settings.append(settings)


def series(curve, stats):
    along, taken = curve.along.series(stats), curve.selector.series(stats)
    if len(along) != len(taken):
        raise curve.selector.node.mistake(f"`take` has {len(taken)} elements, `along` {len(along)}")
    return zip(along, taken)


def divide(curve):
    below = dict(curve.denominator.data)
    curve.data = [(x, y / below[x]) for x, y in curve.numerator.data if below.get(x)]
    if not curve.data:
        raise curve.node.mistake(f"{curve.settings} have no x in common")


def is_measured(curve):
    """Of ours, in contrast to what the source states."""
    return not isinstance(curve, (LevelCurve, PointsCurve))


def fill_figures(figures, runs):
    """Of every curve that is not pending."""
    requested = [(curve, request(curve, runs)) for figure in figures for curve in figure.curves
                 if isinstance(curve, RunCurve)]
    runs.perform()
    for curve, points in requested:
        fill(curve, points)
    for figure in figures:
        for curve in figure.curves:
            if isinstance(curve, RatioCurve):
                divide(curve)


def write_csv(figure, path):
    with whole_file(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for curve in figure.curves:
            for i, (x, y) in enumerate(curve.data):
                writer.writerow([figure.name, curve.name, f"{x:.10g}", f"{y:.7g}", curve.unit,
                                 curve.netlist, curve.settings_of(i)])
