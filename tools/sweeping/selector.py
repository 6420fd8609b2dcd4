"""What to take from stats.json: "collectives[i].algbw_Bps", "units.nvs[0].isa.waves", or the
quotient of two such paths, "collectives[i].bytes / collectives[i].time_s". [i] is the collective of
a point when one run goes through all sizes, [*] every element of a list, a point each."""
import re

from mistakes import did_you_mean

STEP = re.compile(r"([A-Za-z_]\w*)((?:\[(?:\d+|i|\*)\])*)")


class Selector:
    def __init__(self, node):
        self.text = node.text("a path in stats.json")
        self.node = node
        self._paths = [each.strip() for each in self.text.split(" / ")]
        if len(self._paths) > 2:
            raise node.mistake("expected a path, or the quotient of two")
        for path in self._paths:
            if not path.startswith("units.") and not all(map(STEP.fullmatch, path.split("."))):
                raise node.mistake(f"'{path}' is no path such as collectives[i].time_s")
            if ("[*]" in path) != self.is_series():
                raise node.mistake("a quotient has [*] in both of its paths, or in none")
            if path.startswith("units.") and self.is_series():
                raise node.mistake("[*] takes the elements of a list, and units are none")

    def is_series(self):
        return "[*]" in self.text

    def series(self, stats):
        """The values of all elements of the list that is marked with [*], or the quotients of
        those of two."""
        try:
            lists = [elements(stats, path) for path in self._paths]
        except LookupError as error:
            raise self.node.mistake(error.args[0]) from None
        if len(lists) == 1:
            return lists[0]
        above, below = lists
        if len(above) != len(below):
            raise self.node.mistake(f"{self._paths[0]} has {len(above)} elements, "
                                    f"{self._paths[1]} {len(below)}")
        if 0 in below:
            raise self.node.mistake(f"{self._paths[1].replace('[*]', f'[{below.index(0)}]')} is 0")
        return [each / divisor for each, divisor in zip(above, below)]

    def is_indexed(self):
        return all("[i]" in path for path in self._paths)

    def value(self, stats, index):
        try:
            values = [find(stats, path.replace("[i]", f"[{index}]")) for path in self._paths]
            return values[0] if len(values) == 1 else values[0] / values[1]
        except LookupError as error:
            raise self.node.mistake(error.args[0]) from None
        except ZeroDivisionError:
            raise self.node.mistake(f"{self._paths[1]} is 0") from None


def find(stats, path):
    if not path.startswith("units."):
        return plain(stats, path)
    return number(statistic(stats, path), path)


def elements(stats, path):
    """Of the list before [*], what the rest of the path finds in each."""
    before = path.partition("[*]")[0]
    listed = member_at(stats, before)
    if not isinstance(listed, list):
        raise LookupError(f"{before} is no list")
    return [plain(stats, path.replace("[*]", f"[{i}]", 1)) for i in range(len(listed))]


def plain(stats, path):
    return number(member_at(stats, path), path)


def number(found, path):
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise LookupError(f"{path} is no number")
    return found


def member_at(at, path):
    gone = ""
    for step in path.split("."):
        name, indices = STEP.fullmatch(step).groups()
        at = member(at, name, gone)
        gone += f".{name}" if gone else name
        for index in re.findall(r"\d+", indices):
            if not isinstance(at, list) or int(index) >= len(at):
                count = len(at) if isinstance(at, list) else "no"
                raise LookupError(f"stats.json has no {gone}[{index}]: {count} elements")
            at = at[int(index)]
            gone += f"[{index}]"
    return at


def statistic(stats, path):
    """Names of units hold dots and brackets themselves: the last step is the statistic."""
    unit, _, name = path[len("units."):].rpartition(".")
    return member(member(member(stats["units"], unit, "units"), name, unit), "value", path)


def member(at, name, of):
    if isinstance(at, dict) and name in at:
        return at[name]
    names = list(at) if isinstance(at, dict) else []
    raise LookupError(f"stats.json has no '{name}' in {of or 'it'}{did_you_mean(name, names)}")


def check_sizes(stats, sizes, node):
    """[i] is a size only if every size has one collective: not where two algorithms take turns."""
    try:
        there = [each["bytes"] for each in member(stats, "collectives", "")]
    except LookupError as error:
        raise node.mistake(error.args[0]) from None
    if there != sizes:
        raise node.mistake(f"the run has {len(there)} collectives, not {len(sizes)}: [i] takes one "
                           "with one algorithm")
