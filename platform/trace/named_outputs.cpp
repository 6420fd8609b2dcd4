#include "platform/trace/named_outputs.hpp"

#include <filesystem>
#include <map>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {

namespace fs = std::filesystem;

std::string canonical_file(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(fs::absolute(file), failed);
  return failed ? file : path.string();
}

bool is_regular_file(const std::string& file) {
  std::error_code failed;
  return fs::is_regular_file(file, failed);
}

void check_named_outputs(const std::vector<std::string>& inputs,
                         const std::vector<named_output>& outputs) {
  std::map<std::string, std::string> taken;  // canonical name: why nobody else may write it
  for (const std::string& each : inputs)
    taken.emplace(canonical_file(each), "the command reads this file");
  for (const named_output& each : outputs) {
    if (each.file.empty() || is_pipe_or_device(each.file)) continue;
    const auto [other, is_new] =
        taken.emplace(canonical_file(each.file), "this file is already written by " + each.option);
    if (!is_new) throw user_error(each.option + " " + each.file + ": " + other->second);
  }
}

}  // namespace heddle
