"""Whether the reference of the netlist language names every key and every column of results, and has
the algorithms as the program lists them: check_netlist_reference.py PROJECT [HEDDLE]

The keys are those that the strict reader asks for; a table of the reference may have no others.
"""
import re
import subprocess
import sys
from pathlib import Path

READERS = ["platform/netlist/*.cpp", "platform/workload/*.cpp", "models/workloads/*/*_config.cpp",
           "platform/run/waveform_output.cpp", "transactors/binding/routing_section.cpp",
           "transactors/fabric/routing/*.cpp"]
KEY = re.compile(r'(?:(?:optional|required|is_on|find|read_names)\(|section_type\{)"(\w+)"')
# Sizes and parts of topologies, which `heddle models` lists: the reference shows some of them.
TOPOLOGIES = "transactors/fabric/topologies/*.cpp"
TOPOLOGY_KEY = re.compile(r'(?:parameter[^{;]*\{\s*\*this,|\w+_part\(|return \{)\s*"(\w+)"')
CHOICE = re.compile(r"std::vector<std::string> names = \{(.*?)\};", re.DOTALL)
COLLECTIVE = re.compile(r'\{"(\w+)", BOOT_\w+\}')
WORD = re.compile(r"`(\w+)`")
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)
# Columns of result tables and parts of critical paths, which the section on results explains.
COLUMN = re.compile(r'\{"([^"]+)", \d+, (?:fmt::format|format_|percent|has_size|ceiling)')
PART = re.compile(r'\{"\w+", "([^"]+)"\}')


def unexplained(project, reference):
    """Words that results print and the reference does not explain."""
    jobs = "".join(path.read_text() for path in sorted(project.glob("models/workloads/*/*.cpp")))
    words = set(COLUMN.findall(jobs))
    words |= set(PART.findall((project / "platform/explain/category.cpp").read_text()))
    if len(words) < 30:
        sys.exit("columns of results are not where this looks for them")
    rows = re.findall(r"^\| (.*?) \|", reference.split("\n## Results\n")[1], re.MULTILINE)
    return sorted(words - {word for row in rows for word in row.split(", ")})


def main():
    project = Path(sys.argv[1])
    sources = "".join(path.read_text() for glob in READERS for path in sorted(project.glob(glob)))
    reference = (project / "yaml/REFERENCE.md").read_text()
    known = set(KEY.findall(sources))
    topologies = "".join(path.read_text() for path in sorted(project.glob(TOPOLOGIES)))
    topologies += (project / "transactors/fabric/topologies/topology_parts.hpp").read_text()
    listed = set(TOPOLOGY_KEY.findall(topologies))
    choices = set(re.findall(r'"(\w+)"', "".join(CHOICE.findall(sources))))
    choices |= set(COLLECTIVE.findall(sources))
    if len(known) < 40 or len(choices) < 10:
        sys.exit("the readers are not where this looks for them")
    listed_algorithms = []
    if len(sys.argv) > 2:
        listing = subprocess.run([sys.argv[2], "models", "collective"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        listed_algorithms = [line for line in listing.splitlines() if line.startswith("|")]
        if len(listed_algorithms) < 10:
            sys.exit("heddle models collective lists no algorithms")
    stale = [line for line in listed_algorithms if line not in reference.splitlines()]
    told = set(WORD.findall(reference)) | set(re.findall(r"(\w+):", reference))
    missing = sorted((known | choices) - told)
    algorithms = set(WORD.findall(" ".join(listed_algorithms)))
    invented = sorted(set(WORD.findall(" ".join(ROW.findall(reference)))) - known - listed -
                      algorithms)
    unknown = unexplained(project, reference)
    for word in unknown:
        print(f"yaml/REFERENCE.md: does not explain '{word}', which results print")
    for key in missing:
        print(f"yaml/REFERENCE.md: says nothing of '{key}'")
    for key in invented:
        print(f"yaml/REFERENCE.md: '{key}' is no key")
    for line in stale:
        print(f"yaml/REFERENCE.md: has no line {line}")
    sys.exit(bool(missing or invented or stale or unknown))


main()
