"""Finished runs of a sweep, one file each, so that a sweep that was interrupted goes on where it
stopped. A point counts only for the same program, the same arguments and unchanged input files."""
import hashlib
import json
import re
from pathlib import Path

from whole_file import whole_file

ORIGIN = re.compile(r"  # (.+):\d+:\d+$")
VALUE = re.compile(r'^\s*(?:\S+: |- )"?([^"#]+?)"?(?:  # .*)?$')


class Points:
    def __init__(self, folder):
        self.folder = folder
        self._digests = {}

    def path(self, key):
        return self.folder / f"{key}.json"

    def key(self, program, arguments):
        text = json.dumps([self._digest(program), *arguments])
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def record(self, key):
        return read_record(self.path(key))

    def finished(self, key):
        return self.has_succeeded(self.path(key))

    def has_succeeded(self, path):
        """Whether that record is of a run that did, and whose inputs are as they were."""
        try:
            found = read_record(path)
            return found["exit"] == 0 and all(self._digest(path) == digest
                                              for path, digest in found["inputs"].items())
        except (OSError, ValueError):
            return False

    def forget(self, key):
        self.path(key).unlink(missing_ok=True)

    def _digest(self, path):
        if path not in self._digests:
            self._digests[path] = digest(path)
        return self._digests[path]


def digest(path):
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def read_record(path):
    """Of a shape that was never written here is a record that something damaged: a ValueError, as
    for one that is no JSON."""
    record = json.loads(path.read_text(encoding="utf-8"))
    types = {"exit": int, "errors": str, "inputs": dict, "arguments": list}
    is_whole = isinstance(record, dict) and all(isinstance(record.get(key), type_)
                                                for key, type_ in types.items())
    if not is_whole or record["exit"] == 0 and not isinstance(record.get("stats"), dict):
        raise ValueError(f"{path} is no record of a run")
    return record


def write_record(path, record):
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(record), encoding="utf-8")


def inputs_of(effective):
    """Files that a run read, from the origins and values in its config.yaml."""
    lines = effective.read_text(encoding="utf-8").splitlines()
    named = {found.group(1) for found in map(ORIGIN.search, lines) if found}
    valued = {found.group(1) for found in map(VALUE.match, lines) if found}
    netlist = next((line[7:-1] for line in lines if line.startswith('file: "')), "")
    beside = [Path(netlist).parent / each for each in valued if "." in each or "/" in each]
    files = {*named, netlist, *map(str, beside)}
    return {each: digest(each) for each in sorted(files) if is_file(each)}


def is_file(path):
    try:
        return Path(path).is_file()
    except OSError:  # a value too long for a name
        return False
