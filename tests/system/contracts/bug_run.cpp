#include "tests/system/contracts/bug_run.hpp"

#include <fstream>

namespace heddle {
namespace {

constexpr int first_gather_bug = 70, last_gather_bug = 99, first_mesh_bug = 130;

// The system that the bug is planted in; `core` is the type of its cores.
struct bug_system {
  std::string netlist;
  settings values;
};

bug_system system_of(int number, const settings& more) {
  const bool is_of_gather = first_gather_bug <= number && number <= last_gather_bug;
  if (number < first_mesh_bug) {
    const std::string name = is_of_gather ? "gather_bugs" : "driver_bugs";
    bug_system made{"tests/system/contracts/" + name + ".yaml",
                    {{"params.bug", std::to_string(number)}}};
    made.values.insert(made.values.end(), more.begin(), more.end());
    return made;
  }
  bug_system made{"yaml/mesh_tiles.yaml",
                  {{"params.width", "2"},
                   {"params.height", "2"},
                   {"tile[*].cp.core.firmware", "mesh_bugs"},
                   {"workload.collective", "broadcast"},
                   {"workload.algorithm", "mesh_hw"},
                   {"workload.bytes", std::to_string(8 * number) + " B"},
                   {"workload.check", "off"}}};
  for (const auto& [key, value] : more)
    made.values.emplace_back(key, key == "params.core" ? "mesh_" + value + ".yaml" : value);
  return made;
}

}  // namespace

std::string line_of(const std::string& file, int number) {
  const std::string path = "tests/system/contracts/" + file;
  const std::string mark = "/* bug " + std::to_string(number) + " */";
  std::ifstream in(project_file(path));
  std::string text;
  for (int line = 1; std::getline(in, text); ++line)
    if (text.find(mark) != std::string::npos) return path + ":" + std::to_string(line);
  return {};
}

bug_outcome run_bug(int number, const settings& more, const std::vector<std::string>& words) {
  const scratch_folder folder;
  const bug_system system = system_of(number, more);
  command line = run_command(project_file(system.netlist), "out", system.values);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.words.insert(line.words.end(), words.begin(), words.end());
  line.folder = folder.path();
  bug_outcome seen;
  seen.result = run(line);
  if (folder.has("out/summary.txt")) seen.summary = folder.content("out/summary.txt");
  return seen;
}

}  // namespace heddle
