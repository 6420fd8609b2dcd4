"""A sweep as it was written: runs, and figures whose curves take from them. Fails at the place of
the mistake; nothing has run yet."""
from dataclasses import dataclass, field
from pathlib import Path

from curves import RatioCurve, read_curve
from mistakes import UserError, did_you_mean, nearest
from places import Mapping, Node, read_yaml
from plot import LEGENDS
from quantities import BASE_OF, quantity, values

SIZES = "workload.bytes"


@dataclass
class Part:
    settings: list  # [(path, text)]
    values: list    # [(text, number)]


@dataclass
class Common:
    """Settings of every run; of sizes up to a limit others may hold."""
    settings: list
    small: list
    limit: int


@dataclass
class Run:
    name: str
    node: Node
    netlist: str
    variable: str
    parts: list  # values that share settings: [Part]
    pending: str

    def is_over_sizes(self):
        return self.variable == SIZES


@dataclass
class Axis:
    label: str
    scale: str  # linear | log2 | log10
    unit: str = ""
    low: float = None
    high: float = None


@dataclass
class Figure:
    node: Node
    name: str
    title: str
    source: str  # what it repeats, "" for a figure of one's own
    x: Axis
    y: Axis
    legend: str = "below"     # or a corner where no curve is
    is_ordered: bool = False  # its curves are steps of one parameter
    curves: list = field(default_factory=list)

    def curve(self, node):
        """The one that a node names."""
        name = node.text("a curve")
        for each in self.curves:
            if each.name == name:
                return each
        names = [each.name for each in self.curves]
        raise node.mistake(f"no curve '{name}' above{did_you_mean(name, names)}")


@dataclass
class Sweep:
    name: str
    folder: Path
    runs: dict
    figures: dict


def read_sweep(path):
    top = Mapping(read_yaml(path), "sweep")
    version = top.required("heddle_sweep")
    if version.text() != "1":
        raise version.mistake("this Heddle reads sweeps of version 1")
    sweep = Sweep(file_name(top.required("name")), Path(path).parent, {}, {})
    common = read_common(top)
    for key, node in top.required("runs").entries():
        sweep.runs[key.text()] = read_run(key.text(), node, common)
    for key, node in top.required("figures").entries():
        sweep.figures[file_name(key)] = read_figure(key.text(), node, sweep.runs)
    top.finish()
    return sweep


def file_name(node):
    name = node.text()
    if not name.replace("_", "").replace("-", "").isalnum():
        raise node.mistake(f"'{name}' names a file: letters, digits, '_' and '-'")
    return name


def read_common(top):
    common = Common(read_settings(top.optional("set")), [], 0)
    small = top.optional("small")
    if small:
        mapping = Mapping(small, "small")
        common.limit, _ = quantity(mapping.required("up_to"))
        common.small = read_settings(mapping.required("set"))
        mapping.finish()
    return common


def read_settings(node):
    if node is None:
        return []
    return [(key.text(), setting_text(value)) for key, value in node.entries()]


def setting_text(node):
    if node.is_scalar():
        return node.text("a value")
    return "[" + ", ".join(each.text("a value") for each in node.items()) + "]"


def read_run(name, node, common):
    mapping = Mapping(node, f"run '{name}'")
    own = read_settings(mapping.optional("set"))
    over = mapping.required("over").entries()
    if len(over) != 1:
        raise node.mistake(f"`over` of run '{name}' names one variable and its values")
    pending = mapping.optional("pending")
    variable = over[0][0].text()
    if variable in {path for path, _ in own}:
        raise over[0][0].mistake(f"run '{name}' sets {variable} and goes over it: one of them")
    run = Run(name, node, mapping.required("netlist").text(), variable,
              parts_of(values(over[0][1]), common, own, variable),
              pending.text() if pending else "")
    mapping.finish()
    return run


def parts_of(all_values, common, own, variable):
    """Small sizes and the rest; what a run sets itself holds for both. Where the run goes over a
    variable that the sweep sets for all, the values of the run hold."""
    def is_small(value):
        return variable == SIZES and value[1] <= common.limit

    def settings(*layers):
        laid = []
        for layer in layers:
            laid = overlaid(laid, layer)
        return [each for each in laid if each[0] != variable]

    small = [each for each in all_values if is_small(each)]
    rest = [each for each in all_values if not is_small(each)]
    parts = [Part(settings(common.settings, common.small, own), small),
             Part(settings(common.settings, own), rest)]
    return [each for each in parts if each.values]


def overlaid(settings, over):
    replaced = {path for path, _ in over}
    return [each for each in settings if each[0] not in replaced] + over


def read_figure(name, node, runs):
    mapping = Mapping(node, f"figure '{name}'")
    title, source = mapping.required("title").text(), mapping.optional("source")
    figure = Figure(node, name, title, source.text() if source else "",
                    read_x(mapping.required("x")), read_y(mapping.required("y")))
    ordered = mapping.optional("ordered")
    figure.is_ordered = ordered is not None and ordered.boolean()
    legend = mapping.optional("legend")
    figure.legend = legend.choice(LEGENDS) if legend else figure.legend
    defaults = {key: mapping.optional(key) for key in ("take", "scale")}
    for each in mapping.required("curves").items():
        curve = read_curve(each, figure, runs, defaults)
        if any(other.name == curve.name for other in figure.curves):
            raise each.mistake(f"a second curve '{curve.name}' in figure '{name}'")
        figure.curves.append(curve)
        check_unit(curve, figure, each)
    mapping.finish()
    if all(each.is_hidden for each in figure.curves):
        raise node.mistake(f"every curve of figure '{name}' is hidden: nothing is left to draw")
    return figure


def check_unit(curve, figure, node):
    """A ratio has no unit: on an axis of GB/s it would be read as a bandwidth."""
    if isinstance(curve, RatioCurve) and not curve.is_hidden and figure.y.unit in BASE_OF:
        raise node.mistake(f"curve '{curve.name}' is a ratio, but the axis of figure "
                           f"'{figure.name}' is in {figure.y.unit}: hide it, or draw it in a "
                           "figure of its own, in x")
    if isinstance(curve, RatioCurve) and curve.unit in BASE_OF:
        raise node.mistake(f"curve '{curve.name}' is a ratio, and no ratio is in {curve.unit}")


def read_x(node):
    mapping = Mapping(node, "x")
    low_node, high_node = mapping.required("from"), mapping.required("to")
    (low, unit), (high, other) = quantity(low_node), quantity(high_node)
    if unit != other or low >= high:
        raise high_node.mistake("`to` must be more than `from`, in the same dimension")
    axis = Axis(mapping.required("label").text(), read_scale(mapping, "log2"), unit, low, high)
    if axis.scale != "linear" and low <= 0:
        raise low_node.mistake("a logarithmic axis lies above 0")
    mapping.finish()
    return axis


def read_y(node):
    mapping = Mapping(node, "y")
    axis = Axis(mapping.required("label").text(), read_scale(mapping, "linear"),
                mapping.required("unit").text())
    low, high = mapping.optional("from"), mapping.optional("to")
    axis.low = low.number() if low else None
    axis.high = high.number() if high else None
    if None not in (axis.low, axis.high) and axis.low >= axis.high:
        raise high.mistake("`to` must be more than `from`")
    for end in (low, high):
        if end and axis.scale != "linear" and end.number() <= 0:
            raise end.mistake("a logarithmic axis lies above 0")
    mapping.finish()
    return axis


def read_scale(mapping, default):
    scale = mapping.optional("scale")
    return scale.choice(["linear", "log2", "log10"]) if scale else default


def find_sweep(text, root):
    """A path, or the name of one in yaml/sweeps."""
    shipped = root / "yaml" / "sweeps"
    for path in (Path(text), shipped / text):
        if path.is_file():
            return path
    # All names end alike: that is no likeness.
    near = nearest(Path(text).stem, [each.stem for each in shipped.glob("*.yaml")])
    raise UserError(f"cannot read '{text}': No such file or directory"
                    + (f" (did you mean '{near}.yaml'?)" if near else ""))
