"""The kinds of curves: taken from a run, the ratio of two others, a level, points of the source."""
from dataclasses import dataclass, field

from mistakes import did_you_mean
from places import Mapping, Node
from quantities import BASE_OF, quantity
from selector import Selector


@dataclass
class Curve:
    node: Node
    name: str
    unit: str
    label: str = ""
    panel: str = ""
    is_hidden: bool = False  # in the CSV, not in the plot
    like: object = None      # drawn dashed in the color of that one
    pending: str = ""
    netlist: str = ""
    settings: str = ""       # curves of a ratio, or where the source states it
    data: list = field(default_factory=list)  # [(x, y)]

    def settings_of(self, _index):
        return self.settings


@dataclass
class RunCurve(Curve):
    run: object = None
    selector: Selector = None
    along: Selector = None  # x of a series
    scale: float = 1
    point_settings: list = field(default_factory=list)

    def settings_of(self, index):
        return self.point_settings[index]


@dataclass
class RatioCurve(Curve):
    numerator: Curve = None
    denominator: Curve = None


@dataclass
class LevelCurve(Curve):
    """A horizontal line with its name beside it."""


@dataclass
class PointsCurve(Curve):
    texts: list = field(default_factory=list)


def read_curve(node, figure, runs, defaults):
    mapping = Mapping(node, "curve")
    kinds = {"run": read_run_curve, "ratio": read_ratio, "level": read_level, "points": read_points}
    found = [kind for kind in kinds if mapping.optional(kind)]
    name = mapping.required("name").text()
    if len(found) != 1:
        raise node.mistake(f"curve '{name}' needs one of `run`, `ratio`, `level` and `points`")
    unit = mapping.optional("unit")
    curve = kinds[found[0]](mapping, figure, runs, defaults,
                            {"node": node, "name": name, "unit": unit.text() if unit else unit_of(found[0], figure)})
    for key in ("label", "panel", "pending"):
        text = mapping.optional(key)
        if text:
            setattr(curve, key, text.text())
    curve.label = curve.label or name
    hidden, like = mapping.optional("hidden"), mapping.optional("like")
    curve.is_hidden = hidden is not None and hidden.boolean()
    curve.like = figure.curve(like) if like else None
    curve.pending = curve.pending or inherited_pending(curve)
    mapping.finish()
    return curve


def unit_of(kind, figure):
    """That of the axis, but a ratio of two quantities is none."""
    return "x" if kind == "ratio" and figure.y.unit in BASE_OF else figure.y.unit


def inherited_pending(curve):
    if isinstance(curve, RunCurve):
        return curve.run.pending
    if isinstance(curve, RatioCurve):
        return curve.numerator.pending or curve.denominator.pending
    return ""


def read_run_curve(mapping, _figure, runs, defaults, common):
    node = mapping.required("run")
    name = node.text("a run")
    if name not in runs:
        raise node.mistake(f"no run '{name}'{did_you_mean(name, runs)}")
    run = runs[name]
    take = mapping.optional("take") or defaults["take"]
    if take is None:
        raise mapping.node.mistake("missing key 'take' in curve, and its figure has none either")
    scale = mapping.optional("scale") or defaults["scale"]
    selector = Selector(take)
    along = mapping.optional("along")
    along = Selector(along) if along else None
    if selector.is_series() != (along is not None) or along and not along.is_series():
        raise take.mistake("a series has [*] in `take` and in `along`, which gives its x")
    if along and sum(len(part.values) for part in run.parts) != 1:
        raise take.mistake(f"a series is of one run, but run '{name}' has several values")
    if "[i]" in selector.text and not run.is_over_sizes():
        raise take.mistake(f"[i] counts sizes, but run '{name}' is over {run.variable}")
    return RunCurve(**common, run=run, selector=selector, along=along, netlist=run.netlist,
                    scale=scale.number() if scale else 1)


def read_ratio(mapping, figure, _runs, _defaults, common):
    ratio = mapping.required("ratio")
    pair = [figure.curve(each) for each in ratio.items()]
    if len(pair) != 2:
        raise ratio.mistake("expected two curves: [numerator, denominator]")
    return RatioCurve(**common, numerator=pair[0], denominator=pair[1],
                      netlist=pair[1].netlist, settings=" / ".join(each.name for each in pair))


def read_level(mapping, figure, _runs, _defaults, common):
    low, high = mapping.optional("from"), mapping.optional("to")
    ends = [quantity(low)[0] if low else figure.x.low, quantity(high)[0] if high else figure.x.high]
    if ends[0] >= ends[1]:
        raise (high or low).mistake("`to` must be more than `from`")
    y = mapping.required("level").number()
    return LevelCurve(**common, settings=mapping.required("source").text(),
                      data=[(x, y) for x in ends])


def read_points(mapping, _figure, _runs, _defaults, common):
    curve = PointsCurve(**common, settings=mapping.required("source").text())
    for each in mapping.required("points").items():
        parts = each.items()
        if len(parts) != 3:
            raise each.mistake('expected a point such as [4 KiB, 2.62, "2.62 us"]')
        curve.data.append((quantity(parts[0])[0], parts[1].number()))
        curve.texts.append(parts[2].text())
    return curve
