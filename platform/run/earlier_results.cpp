#include "platform/run/earlier_results.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "platform/run/function_profile.hpp"
#include "platform/run/report_record.hpp"
#include "platform/trace/glob.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct optional_result {
  std::string name;   // glob
  std::string begin;  // of its content, a glob
};

// All files that some runs write into their directories and others do not.
const std::array<optional_result, 8>& optional_results() {
  const std::string picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=*";
  static const std::array<optional_result, 8> all = {{
      {"profile.json", std::string(profile_begin) + "*"},
      {"report.json", std::string(record_begin) + "*"},
      {"instructions.txt", " * ns  *"},
      {"link_utilization.svg", picture},
      {"link_utilization_*.svg", picture},
      {"inference_*_prefill.svg", picture},
      {"inference_*_decode.svg", picture},
      {"moe_utilization_*.svg", picture},
  }};
  return all;
}

std::string begin_of(const fs::path& file) {
  constexpr std::size_t enough = 64;
  std::string text(enough, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool is_optional_result(const fs::path& file) {
  const std::string name = file.filename().string();
  const auto& all = optional_results();
  return std::any_of(all.begin(), all.end(), [&](const optional_result& each) {
    return glob_match(each.name, name) && glob_match(each.begin, begin_of(file));
  });
}

}  // namespace

earlier_results::earlier_results(const std::string& directory) {
  std::error_code failed;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code unknown;
    if (at->symlink_status(unknown).type() == fs::file_type::regular &&
        is_optional_result(at->path()))
      files_[at->path().string()] = version_of(at->path().string());
  }
}

earlier_results::version earlier_results::version_of(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_mtim};
}

void earlier_results::remove_stale() const {
  for (const auto& [file, before] : files_) {
    const version now = version_of(file);
    std::error_code ignored;
    if (now.number == before.number && now.changed.tv_sec == before.changed.tv_sec &&
        now.changed.tv_nsec == before.changed.tv_nsec)
      fs::remove(file, ignored);
  }
}

}  // namespace heddle
