#include "platform/run/captured_stream.hpp"

#include <cerrno>
#include <cstring>

#include "platform/text/diagnostic.hpp"

namespace heddle {

captured_stream::captured_stream() : file_(std::tmpfile(), &std::fclose) {
  if (!file_)
    throw user_error(std::string("cannot create a temporary file: ") + std::strerror(errno));
}

int captured_stream::descriptor() const {
  return fileno(file_.get());
}

std::string captured_stream::text() const {
  std::string text;
  std::rewind(file_.get());
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file_.get()))
    text.append(buffer, got);
  return text;
}

}  // namespace heddle
