#include "tests/support/heddle_run.hpp"

namespace heddle {

std::string heddle_program() {
  return HEDDLE_PROGRAM;
}

std::string project_file(const std::string& path) {
  return HEDDLE_SOURCE_DIR "/" + path;
}

command run_command(const std::string& netlist, const std::string& directory,
                    const settings& values) {
  command line;
  line.words = {heddle_program(), "run", netlist, "--quiet", "--out", directory};
  for (const auto& [path, value] : values) {
    line.words.emplace_back("--set");
    line.words.push_back(path + "=" + value);
  }
  return line;
}

heddle_run::heddle_run(const std::string& netlist, const settings& values,
                       const std::vector<std::string>& more_words, unsigned seconds)
    : given_(run_command(netlist, folder_.file("out"), values)) {
  given_.words.insert(given_.words.end(), more_words.begin(), more_words.end());
  given_.seconds = seconds;
  result_ = run(given_);
}

nlohmann::json heddle_run::stats() const {
  return nlohmann::json::parse(folder_.content("out/stats.json"));
}

bool heddle_run::is_verified() const {
  if (!result_.exited_with(0)) return false;
  const nlohmann::json collectives = stats()["collectives"];
  for (const auto& each : collectives)
    if (!each["checked"] || !each["verified"]) return false;
  return !collectives.empty();
}

std::string heddle_run::report() const {
  return given_.text() + "\nexit " + std::to_string(result_.exit_code) + ", signal " +
         std::to_string(result_.signal) + "\n" + result_.output + result_.errors;
}

}  // namespace heddle
