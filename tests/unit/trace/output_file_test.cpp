#include <unistd.h>

#include <catch2/catch.hpp>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/output_file.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

TEST_CASE("a file appears when it is complete", "[trace]") {
  const scratch_folder folder;
  const std::string text(700'000, 'w');
  {
    output_file file(folder.file("a.txt"));
    file.write(text);
    CHECK_FALSE(folder.has("a.txt"));
    file.commit();
  }
  CHECK(folder.content("a.txt") == text);
  CHECK_FALSE(folder.has("a.txt.part"));
}

TEST_CASE("a file that is given up leaves nothing and keeps the one before", "[trace]") {
  const scratch_folder folder;
  {
    output_file file(folder.file("a.txt"));
    file.write("first");
    file.commit();
  }
  {
    output_file file(folder.file("a.txt"));
    file.write("second");
  }
  CHECK(folder.content("a.txt") == "first");
  CHECK_FALSE(folder.has("a.txt.part"));
}

TEST_CASE("a file that cannot be written is the user's mistake", "[trace]") {
  const scratch_folder folder;
  CHECK_THROWS_AS(output_file(folder.file("missing/a.txt")), user_error);
  CHECK_THROWS_WITH(output_file(folder.file("")), Catch::Contains("directory"));

  if (access("/dev/full", W_OK) != 0) return;
  output_file full("/dev/full");  // devices are written directly
  full.write(std::string(700'000, 'w'));
  CHECK_THROWS_WITH(full.commit(), "cannot write '/dev/full': No space left on device");
}
