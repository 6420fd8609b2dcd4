#include "platform/run/fst_conversion.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "platform/run/child_process.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/leftovers.hpp"

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

// A file on the way to another, gone afterwards.
class passing_file {
 public:
  explicit passing_file(const std::string& path) : path_(path) {
    note_leftover(leftover::file, path_);
  }
  ~passing_file() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    forget_leftover(leftover::file, path_);
  }
  passing_file(const passing_file&) = delete;
  passing_file& operator=(const passing_file&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

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
  const passing_file from(vcd), part(vcd + ".part");
  const child_result done = run_program(path_of_converter(), {from.path(), part.path()});
  std::error_code failed;
  if (done.exit_code == 0) fs::rename(part.path(), fst, failed);
  if (done.exit_code == 0 && !failed) return;
  throw user_error("cannot write '" + fst + "': " +
                   (failed ? failed.message() : std::string(converter) + ": " + done.errors));
}

}  // namespace heddle
