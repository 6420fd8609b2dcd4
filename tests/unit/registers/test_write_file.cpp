// The generator's outputs appear complete or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/text/diagnostic.hpp"
#include "tools/regs/write_file.hpp"

using namespace heddle;
namespace fs = std::filesystem;

namespace {

struct folder {
  fs::path path = fs::temp_directory_path() / ("heddle_write_file_" + std::to_string(::getpid()));
  folder() { fs::create_directory(path); }
  ~folder() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a file is replaced and nothing else is left") {
  const folder temporary;
  const fs::path file = temporary.path / "a.h";
  regs::write_file(file.string(), "first, longer");
  regs::write_file(file.string(), "second");
  CHECK(content(file) == "second");
  CHECK(std::distance(fs::directory_iterator(temporary.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a file that cannot be written is a mistake of the user") {
  const folder temporary;
  CHECK_THROWS_AS(regs::write_file((temporary.path / "no" / "a.h").string(), "x"), user_error);
  CHECK_THROWS_AS(regs::write_file(temporary.path.string(), "x"), user_error);
  CHECK(fs::is_directory(temporary.path));
}

TEST_CASE("a pipe is written, not replaced") {
  const folder temporary;
  const std::string pipe = (temporary.path / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  REQUIRE(reader >= 0);
  regs::write_file(pipe, "abc");
  char text[4] = {};
  CHECK(::read(reader, text, 3) == 3);
  CHECK(std::string(text) == "abc");
  CHECK(fs::is_fifo(pipe));
  ::close(reader);
}
