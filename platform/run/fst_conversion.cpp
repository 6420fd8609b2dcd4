#include "platform/run/fst_conversion.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "platform/run/child_process.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* converter = "vcd2fst";

// "": there is none.
std::string path_of_converter() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (fs::path(folder) / converter).string();
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace

void check_wave_name(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (!extension.empty() && extension != ".vcd" && extension != ".fst")
    throw user_error(file + ": waves are .vcd or .fst files, not " + extension +
                     did_you_mean(extension, {".vcd", ".fst"}));
}

bool is_fst(const std::string& file) {
  check_wave_name(file);
  if (fs::path(file).extension() != ".fst") return false;
  if (path_of_converter().empty())
    throw user_error(file + ": FST is written by vcd2fst, which is not installed (Debian: " +
                     "gtkwave); a name that ends in .vcd needs nothing");
  return true;
}

std::string vcd_beside(const std::string& fst) {
  return fst + "." + std::to_string(::getpid()) + ".vcd";
}

void convert_to_fst(const std::string& vcd, const std::string& fst) {
  const std::string part = vcd + ".part";
  const child_result done = run_program(path_of_converter(), {vcd, part});
  std::error_code failed;
  fs::remove(vcd, failed);
  if (done.exit_code == 0) fs::rename(part, fst, failed);
  if (done.exit_code == 0 && !failed) return;
  std::error_code ignored;
  fs::remove(part, ignored);
  throw user_error("cannot write '" + fst + "': " +
                   (failed ? failed.message() : std::string(converter) + ": " + done.errors));
}

}  // namespace heddle
