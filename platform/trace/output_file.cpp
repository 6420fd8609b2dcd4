#include "platform/trace/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/leftovers.hpp"

namespace heddle {

namespace {

constexpr std::size_t buffer_bytes = 262'144;
constexpr std::size_t largest_room = 4096;

}  // namespace

bool is_pipe_or_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

output_file::output_file(std::string path) : path_(std::move(path)), buffer_(buffer_bytes) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    error_ = EISDIR;
    fail();
  }
  if (is_pipe_or_device(path_)) {
    written_path_ = path_;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    open_part();
  }
  if (descriptor_ < 0) {
    error_ = errno;
    fail();
  }
}

// errno says why there is none.
void output_file::open_part() {
  constexpr int most_tries = 1000;
  const std::string name = path_ + "." + std::to_string(::getpid());
  for (int i = 0; i < most_tries; ++i) {
    written_path_ = name + (i == 0 ? "" : "." + std::to_string(i)) + ".part";
    descriptor_ = ::open(written_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return note_leftover(leftover::file, written_path_);
    if (errno != EEXIST) return;
  }
}

output_file::~output_file() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (written_path_ == path_) return;
  ::unlink(written_path_.c_str());
  forget_leftover(leftover::file, written_path_);
}

void output_file::write(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), largest_room);
    char* to = room(piece);
    std::memcpy(to, text.data(), piece);
    advance(to + piece);
    text.remove_prefix(piece);
  }
}

void output_file::complete() {
  flush();
  if (error_ != 0) fail();
}

void output_file::commit() {
  flush();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0 && error_ == 0) error_ = errno;
  if (written_path_ == path_) {
    if (error_ != 0) fail();
    return;
  }
  if (error_ == 0 && std::rename(written_path_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) ::unlink(written_path_.c_str());
  forget_leftover(leftover::file, written_path_);
  if (error_ != 0) fail();
}

void output_file::flush() {
  const char* next = buffer_.data();
  const char* end = next + used_;
  used_ = 0;
  while (error_ == 0 && next != end) {
    const ssize_t written = ::write(descriptor_, next, static_cast<std::size_t>(end - next));
    if (written >= 0) {
      next += written;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

void output_file::fail() const {
  throw user_error("cannot write '" + path_ + "': " + std::strerror(error_));
}

}  // namespace heddle
