// A file as a range of bytes that the operating system reads when they are used.
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

class mapped_file final {
 public:
  // Throws user_error, also for devices, pipes and folders.
  explicit mapped_file(const std::string& path);

  const std::byte* data() const { return static_cast<const std::byte*>(region_.get_address()); }
  std::size_t size() const { return region_.get_size(); }  // an empty file has 0, and no data
  std::string_view text() const {
    return {static_cast<const char*>(region_.get_address()), size()};
  }

 private:
  boost::interprocess::mapped_region region_;
};

}  // namespace heddle
