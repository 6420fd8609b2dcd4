"""A figure as SVG, drawn by gnuplot. Only the same script makes the same bytes: no date, no locale
and no settings of the user go in."""
import math
import os
import subprocess
import sys

from curves import LevelCurve, PointsCurve
from mistakes import RunFailed, UserError
from quantities import size_text
from whole_file import whole_file

# Okabe and Ito: told apart with every color vision, and in gray by their markers.
DISTINCT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
# For steps of one parameter, dark is more.
ORDERED = ["#E8A33D", "#DB6B4C", "#B5446E", "#7B3C88", "#43388A", "#131A4D"]
FILLED = [7, 5, 9, 11, 13, 15]  # circle, square, triangles, diamond, pentagon
OPEN = [6, 4, 8, 10, 12, 14]
OF_SOURCE = "#444444"
FONT = "sans-serif"
WIDTH, HEIGHT, PANEL_HEIGHT = 720, 460, 360
MOST_TICS = 10
ROOM = 2 ** 0.12  # beside the first and the last value of a logarithmic axis: markers stay whole
LEGENDS = ["below", "top left", "top right", "bottom left", "bottom right"]


def write_svg(figure, path):
    panels = []
    for curve in figure.curves:
        if curve.panel not in panels and not curve.is_hidden:
            panels.append(curve.panel)
    with whole_file(path) as temporary:
        draw(script(figure, panels, temporary))


def check_figure(figure):
    """What gnuplot would refuse is a mistake with a place; what it would leave out is told."""
    shown = [each for each in figure.curves if not each.is_hidden]
    for curve in shown:
        if figure.y.scale != "linear" and any(y <= 0 for _, y in curve.data):
            raise curve.node.mistake(f"curve '{curve.name}' has values that are not above 0, and "
                                     f"the y axis of figure '{figure.name}' is logarithmic")
        outside = [point for point in curve.data if not is_inside(point, figure)]
        if outside:
            x, y = outside[0]
            print(f"{curve.node.place}: {len(outside)} of {len(curve.data)} points of curve "
                  f"'{curve.name}' lie outside the axes of figure '{figure.name}', the first at "
                  f"x = {x:.10g}, y = {y:.7g}", file=sys.stderr)
    if not any(is_inside(point, figure) for curve in shown for point in curve.data
               if not isinstance(curve, LevelCurve)):
        raise figure.node.mistake(f"no point of figure '{figure.name}' lies inside its axes")


def is_inside(point, figure):
    return all(math.isfinite(value) and (of.low is None or of.low <= value)
               and (of.high is None or value <= of.high)
               for value, of in zip(point, (figure.x, figure.y)))


def draw(text):
    try:
        drawn = subprocess.run(["gnuplot", "-d", "-"], input=text, text=True, check=False,
                               capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    except FileNotFoundError:
        raise UserError("cannot run gnuplot: tools/install-packages sweep") from None
    if drawn.returncode != 0:
        raise RunFailed(f"gnuplot could not draw it: {drawn.stderr}")


def quoted(text):
    return "'" + " ".join(str(text).split()).replace("'", "''") + "'"


def script(figure, panels, path):
    # Absolute: what begins with | would be a command. Quoted as it is, spaces and all.
    output = "'" + str(path.resolve()).replace("'", "''") + "'"
    height = HEIGHT if len(panels) == 1 else 40 + PANEL_HEIGHT * len(panels)
    lines = [
        f"set terminal svg size {WIDTH},{height} name '{figure.name}' noenhanced rounded"
        f" font '{FONT},13' background 'white'",
        "set encoding utf8",
        f"set output {output}",
        "set border 3 linecolor '#666666'",
        "set tics nomirror out scale 0.6 textcolor '#222222'",
        "set grid back linetype 1 linecolor '#E4E4E4' linewidth 1",
        f"set key {legend(figure)} Left reverse samplen 2.4 width 1 spacing 1.2",
        "set lmargin 9" if len(panels) > 1 else "",  # one above the other
        f"set rmargin {right_margin(figure)}",
        f"set xlabel {quoted(x_label(figure.x))}",
        f"set ylabel {quoted(f'{figure.y.label} ({figure.y.unit})')}",
        *axis("x", figure.x), *size_tics(figure.x), *axis("y", figure.y),
    ]
    source = f" ({figure.source})" if figure.source else ""
    title = quoted(figure.title + source)
    if len(panels) > 1:
        lines.append(f"set multiplot layout {len(panels)},1 title {title} font '{FONT},16'")
    for panel in panels:
        shown = [each for each in figure.curves if each.panel == panel and not each.is_hidden]
        lines.append(f"set title {quoted(panel)} offset 0,-0.3" if len(panels) > 1 else
                     f"set title {title} font '{FONT},16'")
        lines += panel_of(figure, shown)
    return "\n".join([*lines, "unset multiplot" if len(panels) > 1 else "", "unset output", ""])


def legend(figure):
    if figure.legend == "below":
        return "bmargin center horizontal"
    columns = " maxrows 3" if figure.is_ordered else ""
    return f"inside {figure.legend} vertical{columns}"


def right_margin(figure):
    beside = [len(each.label) for each in figure.curves if is_beside(each, figure)]
    return max([4, *beside])


def is_beside(curve, figure):
    """A level of a part of the axis: its label stands right of it, where no curve is."""
    return isinstance(curve, LevelCurve) and curve.data[0][0] > figure.x.low


def axis(name, of):
    room = 1 if of.scale == "linear" else ROOM
    low = "*" if of.low is None else f"{of.low / room:.10g}"
    high = "*" if of.high is None else f"{of.high * room:.10g}"
    lines = [f"set {name}range [{low}:{high}]"]
    if of.scale != "linear":
        lines.append(f"set logscale {name} {of.scale[3:]}")
    if of.scale == "log2" and None not in (of.low, of.high):
        lines.append(f"set {name}tics ({', '.join(tics(of))})")
    return lines


def x_label(x):
    """With its unit, unless the numbers of the axis have theirs."""
    return x.label if not x.unit or has_sizes(x) else f"{x.label} ({x.unit})"


def has_sizes(x):
    return x.unit == "B" and x.scale in ("linear", "log2")


def size_tics(x):
    """Of a linear axis of sizes: multiples of a power of 2. A logarithmic one has its own."""
    if not has_sizes(x) or x.scale != "linear":
        return []
    step = 1
    while (x.high - x.low) / step > MOST_TICS:
        step *= 2
    first, last = math.ceil(x.low / step), math.floor(x.high / step)
    at = [step * each for each in range(first, last + 1)]
    return ["set xtics (" + ", ".join(f"{quoted(size_text(x))} {x}" for x in at) + ")"]


def tics(of):
    """Every power of 2, or so many fewer that their labels do not touch."""
    powers, at = [], of.low
    while at <= of.high:
        powers.append(at)
        at *= 2
    step = -(-len(powers) // MOST_TICS)
    return [f"{quoted(size_text(x) if of.unit == 'B' else f'{x:g}')} {x:.10g}"
            for x in powers[::step]]


def panel_of(figure, curves):
    """Labels of the source beside their lines and points; ours in the legend."""
    lines, parts, styles = ["unset label"], [], {}
    colors = ORDERED if figure.is_ordered else DISTINCT
    for number, curve in enumerate(curves):
        block = f"$data{number}"
        lines += [f"{block} << END", *(f"{x:.10g} {y:.10g}" for x, y in curve.data), "END"]
        if isinstance(curve, LevelCurve):
            lines.append(level_label(curve, figure))
            parts.append(f"{block} with lines dashtype 2 linewidth 1.4"
                         f" linecolor '{OF_SOURCE}' notitle")
        elif isinstance(curve, PointsCurve):
            lines += point_labels(curve)
            parts.append(f"{block} with points pointtype 2 pointsize 1.1 linewidth 2"
                         f" linecolor '{OF_SOURCE}' title {quoted(curve.label)}")
        else:
            parts.append(f"{block} with linespoints {style(curve, styles, colors)}"
                         f" title {quoted(curve.label)}")
    return [*lines, "plot " + ", \\\n  ".join(parts)]


def point_labels(curve):
    """Left of their points; where several have one x, on both sides by turns, and up and down."""
    sides = ("right offset -0.9,0.4", "left offset 0.9,0.2", "right offset -0.9,-0.5",
             "left offset 0.9,-0.4")
    points = sorted(zip(curve.data, curve.texts), key=lambda point: (point[0][0], -point[0][1]))
    lines, before, turn = [], None, 0
    for (x, y), text in points:
        turn = turn + 1 if x == before else 0
        before = x
        lines.append(label(text, f"{x:.10g},{y:.10g} {sides[turn % len(sides)]}"))
    return lines


def level_label(curve, figure):
    x, y = curve.data[0]
    if is_beside(curve, figure):
        return label(curve.label, f"graph 1.01, first {y:.10g} left")
    return label(curve.label, f"{x:.10g},{y:.10g} left offset 0.6,0.5")


def label(text, where):
    return (f"set label {quoted(text)} at {where} front"
            f" textcolor '{OF_SOURCE}' font '{FONT},12'")


def style(curve, styles, colors):
    """The next color, or dashed with open markers in that of another curve."""
    is_dashed = curve.like is not None and curve.like.name in styles
    number = styles[curve.like.name] if is_dashed else len(set(styles.values()))
    styles[curve.name] = number
    kind = number % len(colors)
    marker = (OPEN if is_dashed else FILLED)[kind]
    return (f"linecolor '{colors[kind]}' linewidth 2 pointtype {marker} pointsize 0.65"
            + (" dashtype '-'" if is_dashed else ""))
