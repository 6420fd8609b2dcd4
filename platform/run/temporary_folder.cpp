#include "platform/run/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/leftovers.hpp"

namespace heddle {

temporary_folder::temporary_folder() {
  std::error_code failed;
  const std::filesystem::path all = std::filesystem::temp_directory_path(failed);
  if (failed) throw user_error("no folder for temporary files: " + failed.message());
  std::string name = (all / "heddle-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw user_error("cannot make a folder in " + all.string() + ": " +
                     std::generic_category().message(errno));
  path_ = name;
  note_leftover(leftover::folder, name);
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  forget_leftover(leftover::folder, path_.string());
}

}  // namespace heddle
