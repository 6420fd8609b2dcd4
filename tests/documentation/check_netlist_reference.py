"""Whether the reference of the netlist language names every key: check_netlist_reference.py PROJECT

The keys are those that the strict reader asks for; a table of the reference may have no others.
"""
import re
import sys
from pathlib import Path

READERS = ["platform/netlist/*.cpp", "platform/workload/*.cpp", "models/workloads/*/*_config.cpp",
           "platform/run/wave_output.cpp"]
KEY = re.compile(r'(?:optional|required|is_on|find|read_names)\("(\w+)"')
# Sizes and parts of topologies, which `heddle models` lists: the reference shows some of them.
TOPOLOGIES = "transactors/fabric/topologies/*.cpp"
TOPOLOGY_KEY = re.compile(r'(?:parameter[^{;]*\{\s*\*this,|\w+_part\(|return \{)\s*"(\w+)"')
CHOICE = re.compile(r"std::vector<std::string> (?:names|algorithms) = \{(.*?)\};", re.DOTALL)
WORD = re.compile(r"`(\w+)`")
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def main():
    project = Path(sys.argv[1])
    sources = "".join(path.read_text() for glob in READERS for path in sorted(project.glob(glob)))
    reference = (project / "yaml/REFERENCE.md").read_text()
    known = set(KEY.findall(sources))
    topologies = "".join(path.read_text() for path in sorted(project.glob(TOPOLOGIES)))
    topologies += (project / "transactors/fabric/topologies/topology_parts.hpp").read_text()
    listed = set(TOPOLOGY_KEY.findall(topologies))
    choices = set(re.findall(r'"(\w+)"', "".join(CHOICE.findall(sources))))
    if len(known) < 40 or len(choices) < 20:
        sys.exit("the readers are not where this looks for them")
    told = set(WORD.findall(reference)) | set(re.findall(r"(\w+):", reference))
    missing = sorted((known | choices) - told)
    invented = sorted(set(WORD.findall(" ".join(ROW.findall(reference)))) - known - listed)
    for key in missing:
        print(f"yaml/REFERENCE.md: says nothing of '{key}'")
    for key in invented:
        print(f"yaml/REFERENCE.md: '{key}' is no key")
    sys.exit(bool(missing or invented))


main()
