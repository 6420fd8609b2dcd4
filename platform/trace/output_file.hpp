// A file that appears under its name only when it is complete; until then it is called
// NAME.PID.part or, where another machine or an earlier process has left one, NAME.PID.1.part and
// so on: two runs that write the same file do not mix. Pipes and devices are written directly.
//
// A write error is kept and thrown by commit(), because an exception out of the middle of a
// simulation would lose the run's other results; nothing is written after it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Such a file is shared by whoever writes to it.
bool is_pipe_or_device(const std::string& path);

class output_file {
 public:
  explicit output_file(std::string path);  // user_error if it cannot be created
  ~output_file();                          // removes what was not committed
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  // Room for that many bytes (up to 4096), to be filled in place; advance() takes them.
  char* room(std::size_t bytes) {
    if (buffer_.size() - used_ < bytes) flush();
    return buffer_.data() + used_;
  }
  void advance(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }

  void write(std::string_view text);

  // Both throw user_error if anything went wrong since the start. What is complete is written, but
  // does not have its name yet.
  void complete();
  void commit();

 private:
  void open_part();
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;
  std::string written_path_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace heddle
