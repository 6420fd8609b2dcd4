"""YAML that remembers where everything stands, so that mistakes name their place."""
import math
import os

import yaml

from mistakes import UserError, did_you_mean, nearest


class Node:
    """A scalar, list or mapping as written; scalars stay text."""

    def __init__(self, node, file):
        self._node = node
        self._file = file

    @property
    def place(self):
        mark = self._node.start_mark
        return f"{self._file}:{mark.line + 1}:{mark.column + 1}"

    def mistake(self, what):
        return UserError(f"{self.place}: {what}")

    def is_scalar(self):
        return isinstance(self._node, yaml.ScalarNode)

    def is_mapping(self):
        return isinstance(self._node, yaml.MappingNode)

    def text(self, what="text"):
        if not self.is_scalar() or not self._node.value:
            raise self.mistake(f"expected {what}")
        return self._node.value

    def number(self):
        try:
            number = float(self.text("a number"))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.mistake(f"expected a number, got '{self._node.value}'")
        return number

    def boolean(self):
        text = self.choice(["true", "false"])
        return text == "true"

    def choice(self, choices):
        text = self.text()
        if text not in choices:
            raise self.mistake(f"'{text}' is none of {', '.join(choices)}"
                               + did_you_mean(text, choices))
        return text

    def items(self):
        if not isinstance(self._node, yaml.SequenceNode) or not self._node.value:
            raise self.mistake("expected a list that is not empty")
        return [Node(each, self._file) for each in self._node.value]

    def entries(self):
        """[(key node, value node)] in written order."""
        if not self.is_mapping():
            raise self.mistake("expected a mapping")
        pairs = [(Node(key, self._file), Node(value, self._file))
                 for key, value in self._node.value]
        seen = {}
        for key, _ in pairs:
            name = key.text("a key")
            if name in seen:
                raise key.mistake(f"duplicate key '{name}' (first at {seen[name]})")
            seen[name] = key.place
        return pairs


class Mapping:
    """A mapping whose every key must be asked for: finish() refuses the rest."""

    def __init__(self, node, what):
        self._what = what
        self.node = node
        self._entries = {key.text(): (key, value) for key, value in node.entries()}
        self._asked = []

    def optional(self, key):
        self._asked.append(key)
        return self._entries[key][1] if key in self._entries else None

    def required(self, key):
        value = self.optional(key)
        if value is None:
            rest = [each for each in self._entries if each not in self._asked]
            near = nearest(key, rest)
            raise self.node.mistake(f"missing key '{key}' in {self._what}"
                                    + (f" (is '{near}' meant?)" if near else ""))
        return value

    def finish(self):
        for name, (key, _) in self._entries.items():
            if name not in self._asked:
                raise key.mistake(f"unknown key '{name}' in {self._what}"
                                  + did_you_mean(name, self._asked))


def read_yaml(path):
    file = os.path.relpath(path)
    try:
        with open(path, encoding="utf-8") as stream:
            node = yaml.compose(stream, Loader=yaml.SafeLoader)
    except OSError as error:
        raise UserError(f"cannot read '{file}': {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        context = f"{error.context}, " if error.context else ""
        raise UserError(f"{file}:{mark.line + 1}:{mark.column + 1}: {context}{error.problem}"
                        ) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        raise UserError(f"{file}:1:1: this is not YAML in UTF-8") from None
    if node is None:
        raise UserError(f"{file}:1:1: the file is empty")
    return Node(node, file)
