// SVD files of blocks: what a debugger reads of them is what the description says.
#include <catch2/catch.hpp>

#include <filesystem>

#include "tests/support/command.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/svd_compare.hpp"
#include "tools/regs/parse.hpp"
#include "tools/regs/write.hpp"

using namespace heddle;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> all_descriptions() {
  std::vector<std::string> found = {HEDDLE_SOURCE_DIR "/tests/unit/registers/everything.regs.yaml"};
  for (const auto& each : fs::recursive_directory_iterator(HEDDLE_SOURCE_DIR "/models")) {
    const std::string path = each.path().string();
    const std::string ending = ".regs.yaml";
    if (path.size() > ending.size() &&
        path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
      found.push_back(path);
  }
  return found;
}

const std::string hostile =
    "block: b\nmeaning: '<a> & \"b\" ]]>'\nsize: 0x10\nregisters:\n"
    "- {name: a, offset: 0x8, width: 32, access: RW, meaning: '</register> &amp; x'}\n";

command xmllint(const std::string& file) {
  command made;
  const std::string schema = HEDDLE_SOURCE_DIR "/tests/support/svd_subset.xsd";
  made.words = {"xmllint", "--noout", "--schema", schema, file};
  return made;
}

}  // namespace

TEST_CASE("the SVD file of every block says what its description says") {
  const scratch_folder folder;
  std::size_t registers = 0;
  for (const std::string& path : all_descriptions()) {
    INFO(path);
    const regs::block block = regs::parse_file(path);
    const std::string file = folder.write(block.name + ".svd", regs::svd(block));
    const command_result checked = run(xmllint(file));
    INFO(checked.errors);
    CHECK(checked.exited_with(0));
    const svd_file seen = read_svd(file);
    CHECK(seen.name == block.name);
    const std::size_t count = check_svd_block(seen, block.name, 0, block);
    CHECK(seen.registers.size() == count);
    registers += count;
  }
  CHECK(registers > 1000);
}

TEST_CASE("what the user writes is text in an SVD file") {
  const scratch_folder folder;
  const regs::block block = regs::parse_text(hostile, "x");
  const std::string file = folder.write("b.svd", regs::svd(block));
  CHECK(run(xmllint(file)).exited_with(0));
  CHECK(check_svd_block(read_svd(file), "b", 0, block) == 1);
}

TEST_CASE("the schema refuses what is no SVD") {
  const scratch_folder folder;
  std::string text = regs::svd(regs::parse_text(hostile, "x"));
  const std::string reset = "<resetValue>";
  text.replace(text.find(reset), reset.size(), "<resetvalue>");
  text.replace(text.find("</resetValue>"), reset.size() + 1, "</resetvalue>");
  CHECK_FALSE(run(xmllint(folder.write("b.svd", text))).exited_with(0));
}
