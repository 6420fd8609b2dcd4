#include "platform/text/mapped_file.hpp"

#include <boost/interprocess/file_mapping.hpp>
#include <filesystem>
#include <system_error>

#include "platform/text/diagnostic.hpp"
#include "platform/text/input_file.hpp"

namespace heddle {

mapped_file::mapped_file(const std::string& path) {
  open_input_file(path);  // says what is no file
  if (std::filesystem::file_size(path) == 0) return;
  namespace ipc = boost::interprocess;
  try {
    region_ = ipc::mapped_region(ipc::file_mapping(path.c_str(), ipc::read_only), ipc::read_only);
  } catch (const ipc::interprocess_exception& error) {
    throw user_error(
        path + ": cannot be read: " + std::generic_category().message(error.get_native_error()));
  }
}

}  // namespace heddle
