// What users get wrong: every entry of mistakes.yaml, with the exact message and exit code, and
// nothing left behind.
#include <catch2/catch.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string folder_of_mistakes = project_file("tests/system/mistakes/");

struct mistake {
  std::string name, file, old_text, new_text, arguments, message;
};

std::vector<mistake> read_mistakes() {
  std::vector<mistake> mistakes;
  yaml_mapping top(parse_yaml_file(folder_of_mistakes + "mistakes.yaml"), "mistakes");
  for (const yaml_node& item : top.required("mistakes").items()) {
    yaml_mapping entry(item, "mistake");
    mistake one;
    one.name = as_text(entry.required("name"));
    one.arguments = "run netlist.yaml --quiet --out out";
    for (const char* file : {"netlist", "part"}) {
      const auto change = entry.optional(file);
      if (!change) continue;
      one.file = std::string(file) + ".yaml";
      one.old_text = as_text(change->items().at(0));
      one.new_text = as_text(change->items().at(1));
    }
    if (const auto node = entry.optional("set")) one.arguments += " --set " + as_text(*node);
    if (const auto node = entry.optional("more")) one.arguments += " " + as_text(*node);
    if (const auto node = entry.optional("command")) one.arguments = as_text(*node);
    one.message = as_text(entry.required("says"));
    entry.finish();
    mistakes.push_back(std::move(one));
  }
  top.finish();
  return mistakes;
}

std::string changed(std::string text, const mistake& by) {
  const std::size_t at = text.find(by.old_text);
  if (at == std::string::npos) FAIL(by.name << ": '" << by.old_text << "' is not in " << by.file);
  return text.replace(at, by.old_text.size(), by.new_text);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::set<std::string> names_in(const scratch_folder& folder) {
  std::set<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(folder.path()))
    names.insert(each.path().filename().string());
  return names;
}

void check(const mistake& one) {
  INFO(one.name);
  const scratch_folder folder;
  for (const char* name : {"netlist.yaml", "part.yaml"}) {
    const std::string right = content_of(folder_of_mistakes + name);
    folder.write(name, name == one.file ? changed(right, one) : right);
  }
  command line;
  line.words = {heddle_program()};
  std::istringstream words(one.arguments);
  for (std::string word; words >> word;) line.words.push_back(word);
  line.folder = folder.path();
  const command_result result = run(line);
  CHECK(result.exit_code == 2);
  CHECK(result.errors == one.message + "\n");
  CHECK(names_in(folder) == std::set<std::string>{"netlist.yaml", "part.yaml"});
}

}  // namespace

TEST_CASE("the netlist that the mistakes are made in is right") {
  const scratch_folder folder;
  const heddle_run run(folder_of_mistakes + "netlist.yaml", {});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("a value may be set in a section that the netlist does not have") {
  const std::string netlist = project_file("yaml/p2p_latency.yaml");
  const auto check = [&](const std::string& set) {
    command line;
    line.words = {heddle_program(), "check", netlist, "--set", set};
    return run(line);
  };
  CHECK(check("contracts.buffers=off").exited_with(0));
  const command_result unknown = check("contracts.bufers=off");
  CHECK(unknown.exited_with(2));
  CHECK_THAT(unknown.errors, Catch::Contains("--set contracts.bufers: unknown key 'bufers'") &&
                                 Catch::Contains("did you mean 'buffers'?"));
  const heddle_run traced(netlist, {{"trace.wave", "latency.vcd"}});
  INFO(traced.report());
  CHECK(traced.is_verified());
  CHECK(traced.folder().has("out/latency.vcd"));
}

TEST_CASE("mistakes are explained") {
  const std::vector<mistake> mistakes = read_mistakes();
  CHECK(mistakes.size() >= 90);
  for (const mistake& each : mistakes) check(each);
}

TEST_CASE("mistakes in register files are explained") {
  const std::string right =
      "block: b\nmeaning: m\nsize: 0x40\nregisters:\n"
      "- {name: a, offset: 0x0, width: 32, access: RW, meaning: m}\n";
  const std::vector<std::array<std::string, 3>> mistakes = {
      {"access: RW", "acces: RW", "5:3: missing key 'access' in register (is 'acces' meant?)"},
      {"offset: 0x0", "offset: 0x2",
       "5:21: offset 0x2 of register 'a' is not a multiple of its 4 bytes"},
      {"width: 32", "width: 16", "5:33: unknown width \"16\" (one of 32, 64)"},
      {"RW", "RX", "5:45: unknown access \"RX\" (did you mean 'RO'?)"},
      {"name: a", "name: A", "5:10: name \"A\" is not snake_case"},
      {"size: 0x40", "size: 0x2", "3:7: 0x2 is not within 0x4..0x1000000"},
      {"meaning: m\n", "meaning: m\nmeaning: n\n",
       "3:1: duplicate key 'meaning' (first at b.regs.yaml:2:1)"},
      {"registers:", "registers: {}\nx:", "4:12: registers must be a list that is not empty"}};
  for (const auto& [old_text, new_text, message] : mistakes) {
    const scratch_folder folder;
    std::string text = right;
    text.replace(text.find(old_text), old_text.size(), new_text);
    folder.write("b.regs.yaml", text);
    command line;
    line.words = {HEDDLE_REGS, "b.regs.yaml", "--cpp", "b.hpp", "--c", "b.h"};
    line.folder = folder.path();
    const command_result result = run(line);
    INFO(new_text);
    CHECK(result.exit_code == 2);
    CHECK(result.errors == "heddle_regs: b.regs.yaml:" + message + "\n");
    CHECK(names_in(folder) == std::set<std::string>{"b.regs.yaml"});
  }
}
