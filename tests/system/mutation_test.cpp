// Netlists that went through a shredder: `heddle check` says ok or what is wrong, and never dies.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// What is put in place of a word: another kind of node, another kind of number, broken syntax.
const std::vector<std::string> strangers = {"[]",
                                            "{}",
                                            "[1, 2]",
                                            "{a: 1}",
                                            "[[1]]",
                                            "-1",
                                            "0",
                                            "3",
                                            "1.5",
                                            "1e99",
                                            "99999999999999999999",
                                            "null",
                                            "~",
                                            "true",
                                            "\"\"",
                                            "x",
                                            "x.y[0]",
                                            "\"${gpus}\"",
                                            "\"${\"",
                                            "\"${1/0}\"",
                                            "'",
                                            "\"",
                                            ":",
                                            ",",
                                            "#",
                                            "*a",
                                            "&a",
                                            "!t",
                                            "|",
                                            "64 KiB",
                                            "1 ns",
                                            "2 GB/s",
                                            "18446744073709551615 B",
                                            "0xffffffffffffffff",
                                            "\t",
                                            "\x01",
                                            "\xff",
                                            "heddle",
                                            "units",
                                            "for",
                                            "array",
                                            "use",
                                            "type"};

class shredder {
 public:
  explicit shredder(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t times = 1 + below(2); times > 0; --times) {
      const std::size_t how = below(10);
      if (how < 6)
        replace_word(text);
      else if (how < 8)
        move_line(text);
      else
        change_byte(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void replace_word(std::string& text) {
    const std::string in_word = "abcdefghijklmnopqrstuvwxyz0123456789_${}\"";
    std::size_t from = text.find_first_of(in_word, below(text.size()));
    if (from == std::string::npos) from = 0;
    while (from > 0 && in_word.find(text[from - 1]) != std::string::npos) --from;
    const std::size_t to = std::min(text.find_first_not_of(in_word, from), text.size());
    text.replace(from, to - from, strangers[below(strangers.size())]);
  }

  // Takes a line away, and puts it back somewhere, nowhere or twice.
  void move_line(std::string& text) {
    const std::size_t from = start_of_line(text, below(text.size()));
    const std::size_t to = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string line = std::string(below(3), ' ') + text.substr(from, to - from);
    text.erase(from, to - from);
    for (std::size_t copies = below(3); copies > 0; --copies)
      text.insert(start_of_line(text, below(text.size())), line);
  }

  static std::size_t start_of_line(const std::string& text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  }

  void change_byte(std::string& text) {
    if (!text.empty()) text[below(text.size())] = static_cast<char>(random_());
  }

  std::mt19937_64 random_;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// `mutated` is one of the two files that make a whole netlist in the folder.
void check(const std::string& mutated, std::uint64_t first_seed, std::uint64_t count) {
  const scratch_folder folder;
  std::filesystem::create_directory(folder.file("units"));
  const std::string top = content_of(project_file("yaml/ring_allreduce.yaml"));
  const std::string unit = content_of(project_file("yaml/units/accelerator.yaml"));
  folder.write("netlist.yaml", top);
  folder.write("units/accelerator.yaml", unit);
  const std::string original = folder.content(mutated);
  std::uint64_t still_right = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::string text = shredder(seed)(original);
    folder.write(mutated, text);
    command line;
    line.words = {heddle_program(), "check", "netlist.yaml"};
    line.folder = folder.path();
    line.seconds = 20;
    const command_result result = run(line);
    if (result.exited_with(0)) ++still_right;
    const bool is_explained = result.exited_with(2) && result.errors.size() > 10;
    if (result.exited_with(0) || is_explained) continue;
    FAIL("seed " << seed << ": exit " << result.exit_code << ", signal " << result.signal << "\n"
                 << result.errors << "\n"
                 << text);
  }
  CHECK(still_right < count / 2);  // else the shredder is blunt
}

}  // namespace

TEST_CASE("a shredded netlist is refused or runs") {
  check("netlist.yaml", 1, 90);
}
TEST_CASE("a shredded sub-netlist is refused or runs") {
  check("units/accelerator.yaml", 1, 90);
}
TEST_CASE("many shredded netlists are refused or run", "[.][long]") {
  check("netlist.yaml", 10'000, 3'000);
  check("units/accelerator.yaml", 10'000, 3'000);
}
