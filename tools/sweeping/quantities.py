"""Values of a swept variable: text for the command line, a number for the axis."""
import math
import re

FACTORS = {
    "B": {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
          "KB": 1e3, "MB": 1e6, "GB": 1e9},
    "s": {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1},
    "B/s": {"B/s": 1, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
    "Hz": {"Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
}
BASE_OF = {unit: base for base, units in FACTORS.items() for unit in units}
SIZE_UNITS = list(FACTORS["B"].items())[:5]
MOST_VALUES = 1000


def quantity(node):
    """(number in its base unit, base unit, "" for a plain number)."""
    text = node.text("a quantity")
    found = re.fullmatch(r"([0-9.]+(?:e[+-]?[0-9]+)?)\s*(\S*)", text)
    try:
        number = float(found.group(1))
    except (AttributeError, ValueError):
        raise node.mistake(f"expected a quantity such as 64 KiB, got '{text}'") from None
    unit = found.group(2)
    if unit and unit not in BASE_OF:
        raise node.mistake(f"unknown unit '{unit}' (one of {', '.join(BASE_OF)})")
    base = BASE_OF.get(unit, "")
    number *= FACTORS[base][unit] if base else 1
    if not math.isfinite(number):
        raise node.mistake(f"'{text}' is too large")
    return whole(number), base


def values(node):
    """[(text, number)] of a list, or of every doubling within {from: 1 KiB, to: 256 MiB}."""
    if not node.is_mapping():
        listed = [(each.text(), *quantity(each)) for each in node.items()]
        if len({unit for _, _, unit in listed}) > 1:
            raise node.mistake("values of different dimensions")
        refuse_doubles(node.items(), [number for _, number, _ in listed])
        return [(text, number) for text, number, _ in listed]
    pairs = {key.text(): value for key, value in node.entries()}
    if sorted(pairs) != ["from", "to"]:
        raise node.mistake("expected a list, or every doubling as {from: 1 KiB, to: 1 MiB}")
    (low, unit), (high, other) = quantity(pairs["from"]), quantity(pairs["to"])
    if unit not in ("", "B") or unit != other or low <= 0 or low > high:
        raise node.mistake("expected sizes or plain numbers, `from` above 0 and up to `to`")
    if unit and low != int(low):
        raise pairs["from"].mistake(f"expected whole bytes, got {pairs['from'].text()}")
    doubled = []
    while low <= high and len(doubled) < MOST_VALUES:
        doubled.append((size_text(low) if unit else f"{low:.17g}", low))
        low *= 2
    return doubled


def refuse_doubles(nodes, numbers):
    """A value that is given twice would be two equal points of a curve."""
    first = {}
    for node, number in zip(nodes, numbers):
        if number in first:
            raise node.mistake(f"the value {node.text()} is given twice (first at "
                               f"{first[number].place})")
        first[number] = node


def size_text(size):
    """1024: "1 KiB"; parts of a byte, where an axis begins with some: "0.5 B"."""
    factors = [(factor, name) for name, factor in SIZE_UNITS if size and size % factor == 0]
    factor, name = max(factors, default=(1, "B"))
    return f"{whole(size / factor)} {name}"


def whole(number):
    return int(number) if number == int(number) else number
