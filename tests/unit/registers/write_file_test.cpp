// The generator's outputs appear complete or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>
#include <string>

#include "platform/text/diagnostic.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/regs/write_file.hpp"

using namespace heddle;
namespace fs = std::filesystem;

TEST_CASE("a file is replaced and nothing else is left") {
  const scratch_folder temporary;
  const std::string file = temporary.file("a.h");
  regs::write_file(file, "first, longer");
  regs::write_file(file, "second");
  CHECK(temporary.content("a.h") == "second");
  CHECK(std::distance(fs::directory_iterator(temporary.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a file that cannot be written is a mistake of the user") {
  const scratch_folder temporary;
  CHECK_THROWS_AS(regs::write_file(temporary.file("no/a.h"), "x"), user_error);
  CHECK_THROWS_AS(regs::write_file(temporary.path(), "x"), user_error);
  CHECK(fs::is_directory(temporary.path()));
}

TEST_CASE("a pipe is written, not replaced") {
  const scratch_folder temporary;
  const std::string pipe = temporary.file("pipe");
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
