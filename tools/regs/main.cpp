// heddle_regs FILE.regs.yaml [--cpp OUT.hpp] [--c OUT.h] [--markdown OUT.md] [--svd OUT.svd]
//             [--source NAME]
//
// Exit 0: everything is written. 2: the input or the command line is wrong, nothing is written.
#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "platform/text/suggest.hpp"
#include "tools/regs/parse.hpp"
#include "tools/regs/write.hpp"
#include "tools/regs/write_file.hpp"

namespace {

constexpr const char* usage =
    "usage: heddle_regs FILE.regs.yaml [--cpp OUT.hpp] [--c OUT.h] [--markdown OUT.md]\n"
    "                   [--svd OUT.svd] [--source NAME]\n"
    "  --source NAME   what the outputs call the file, so that they depend on no folder\n";

struct command_line {
  std::string file;
  std::map<std::string, std::string> options = {
      {"--cpp", ""}, {"--c", ""}, {"--markdown", ""}, {"--svd", ""}, {"--source", ""}};
};

command_line parse(int argc, char** argv) {
  command_line result;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      if (!result.file.empty()) throw heddle::user_error("more than one file is given");
      result.file = word;
      continue;
    }
    const auto option = result.options.find(word);
    if (option == result.options.end()) {
      throw heddle::user_error(
          "unknown option '" + word + "'" +
          heddle::did_you_mean(word, {"--cpp", "--c", "--markdown", "--svd", "--source"}));
    }
    if (i + 1 == argc) throw heddle::user_error("option '" + word + "' needs a value");
    option->second = argv[++i];
  }
  if (result.file.empty()) throw heddle::user_error("no file is given");
  return result;
}

void generate(command_line line) {
  const heddle::regs::block block = heddle::regs::parse_file(line.file);
  const std::string source =
      line.options["--source"].empty() ? block.name + ".regs.yaml" : line.options["--source"];
  const auto write = [&](const char* option, const std::string& content) {
    const std::string& path = line.options[option];
    if (!path.empty()) heddle::regs::write_file(path, content);
  };
  write("--cpp", heddle::regs::cpp_header(block, source));
  write("--c", heddle::regs::c_header(block, source));
  write("--markdown", heddle::regs::markdown(block));
  write("--svd", heddle::regs::svd(block));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  try {
    generate(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle_regs: %s\n", error.what());
    return 2;
  }
  return 0;
}
