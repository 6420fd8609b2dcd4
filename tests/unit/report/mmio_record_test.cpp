#include "platform/run/mmio_record.hpp"

#include <catch2/catch.hpp>

#include "platform/text/diagnostic.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

mmio_record atomic_record(const atomic_update& atomic) {
  mmio_record record;
  record.core = "core";
  record.command = name_of(atomic.operation);
  record.bytes = 8;
  record.fields = text_of(atomic);
  record.response = "TLM_OK_RESPONSE";
  return record;
}

}  // namespace

TEST_CASE("a log says what an atomic does, and that is found again") {
  const scratch_folder folder;
  std::string text = csv_heading();
  for (int i = 0; i < atomic_operations; ++i)
    text += csv_line(atomic_record({static_cast<atomic_operation>(i), UINT64_MAX - i, 7}));
  const std::vector<mmio_record> read = read_mmio_log(folder.write("log.csv", text));
  REQUIRE(read.size() == atomic_operations);
  for (int i = 0; i < atomic_operations; ++i) {
    const std::optional<atomic_update> found = atomic_of(read[i]);
    REQUIRE(found);
    CHECK(found->operation == static_cast<atomic_operation>(i));
    CHECK(found->operand == UINT64_MAX - i);
    CHECK(found->expected == 7);
  }
  mmio_record plain;
  plain.command = "write";
  CHECK_FALSE(atomic_of(plain));
  plain.command = "add";  // without what it adds
  CHECK_FALSE(atomic_of(plain));
}

TEST_CASE("a log may have the line ends of another system") {
  const scratch_folder folder;
  const std::string line = csv_line(atomic_record({atomic_operation::swap, 1, 0}));
  const auto with_carriage_return = [](std::string text) {
    return text.insert(text.size() - 1, "\r");
  };
  const std::vector<mmio_record> read = read_mmio_log(
      folder.write("log.csv", with_carriage_return(csv_heading()) + with_carriage_return(line)));
  REQUIRE(read.size() == 1);
  CHECK(read[0].response == "TLM_OK_RESPONSE");
}

TEST_CASE("names may hold what separates cells and lines") {
  const scratch_folder folder;
  mmio_record odd = atomic_record({atomic_operation::swap, 1, 0});
  odd.core = "a\"b\",\n\nc\r";
  odd.file = "d\re.c";
  const std::string file = folder.write(
      "log.csv", csv_heading() + csv_line(odd) + csv_line(atomic_record({})) + "1,2\n");
  try {
    read_mmio_log(file);
    FAIL("a row of two cells was read");
  } catch (const user_error& error) {
    CHECK(error.what() == file + ":6:1: 2 cells instead of 14");
  }
  const std::vector<mmio_record> read =
      read_mmio_log(folder.write("log.csv", csv_heading() + csv_line(odd) + csv_line(odd)));
  REQUIRE(read.size() == 2);
  CHECK(read[1].core == odd.core);
  CHECK(read[1].file == odd.file);
}

TEST_CASE("a cell that holds no number of its column is told") {
  const scratch_folder folder;
  const std::string line = "0,core,f,a.c,7,read,0x10,4,dma,status,0x0,0x1,,TLM_OK_RESPONSE\n";
  const auto message = [&](const std::string& name, const std::string& written) -> std::string {
    std::string changed = line;
    changed.replace(changed.find(name), name.size(), written);
    const std::string file = folder.write("log.csv", csv_heading() + line + changed);
    try {
      read_mmio_log(file);
    } catch (const user_error& error) {
      return std::string(error.what()).substr(file.size());
    }
    return {};
  };
  CHECK(message("0,core", "99999999999999999999,core") ==
        ":3:1: time_fs: \"99999999999999999999\" does not fit 64 bits");
  CHECK(message(",4,", ",4294967300,") == ":3:1: bytes: expected at most 8, got 4294967300");
  CHECK(message(",7,", ",4294967303,") ==
        ":3:1: line: expected at most 2147483647, got 4294967303");
  CHECK(message("0x10", "010") ==
        ":3:1: address: leading zeros are not allowed in \"010\": write 10");
  CHECK(message("0x1,", "-1,") ==
        ":3:1: value: expected an integer, got \"-1\", which must not be negative");
  CHECK(message("0x0", "") == ":3:1: offset: expected an integer, got \"\"");
  CHECK(message(",7,", ",2147483647,").empty());
}

TEST_CASE("a log as JSON has the same limits") {
  const scratch_folder folder;
  const std::string line = json_line(atomic_record({}));
  const std::string bytes = "\"bytes\":8";
  REQUIRE(line.find(bytes) != std::string::npos);
  std::string changed = line;
  changed.replace(changed.find(bytes), bytes.size(), "\"bytes\":4294967300");
  const std::string file = folder.write("log.json", "[" + line + ",\n" + changed + "]");
  CHECK_THROWS_WITH(read_mmio_log(file), file +
                                             ":2:1: not an MMIO log: access 2: bytes: expected at "
                                             "most 8, got 4294967300");
}
