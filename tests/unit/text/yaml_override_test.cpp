#include <catch2/catch.hpp>

#include "platform/yaml/override.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

yaml_node example() {
  return parse_yaml_text("params: {gpus: 8}\nlinks:\n  - {latency: 250 ns}\n  - {latency: 1 us}\n",
                         "f.yaml");
}

std::string refusal(const std::string& path, const std::string& value = "1") {
  return error_message<user_error>([&] { with_override(example(), path, value); });
}

}  // namespace

TEST_CASE("an override replaces one value and keeps the rest", "[yaml]") {
  const yaml_node before = example();
  const yaml_node after = with_override(before, "links[1].latency", "2 us");
  const yaml_node& latency = *after.find("links")->items()[1].find("latency");
  CHECK(latency.text() == "2 us");
  CHECK(latency.origin() == "--set links[1].latency");
  CHECK(after.find("links")->items()[0].find("latency")->origin() == "f.yaml:3:15");
  CHECK(after.find("links")->items()[1].origin() == "f.yaml:4:5");
  CHECK(before.find("links")->items()[1].find("latency")->text() == "1 us");
}

TEST_CASE("an override may add the last key", "[yaml]") {
  const yaml_node after = with_override(example(), "params.planes", "4");
  CHECK(after.find("params")->keys() == std::vector<std::string>{"gpus", "planes"});
  CHECK(after.find("params")->entries()[1].key_place.text() == "--set params.planes");
  CHECK(with_override(example(), "seed", "7").find("seed")->text() == "7");
}

TEST_CASE("an override without a value takes the key or item away", "[yaml]") {
  CHECK(with_override(example(), "params", "").keys() == std::vector<std::string>{"links"});
  CHECK(with_override(example(), "params.gpus", "").find("params")->entries().empty());
  const yaml_node after = with_override(example(), "links[0]", "");
  REQUIRE(after.find("links")->items().size() == 1);
  CHECK(after.find("links")->items()[0].origin() == "f.yaml:4:5");
  CHECK(refusal("links[2]", "") == "--set: no index [2] in 'links', a list of 2");
  CHECK(refusal("params.gpu", "") == "--set: no key 'gpu' in 'params' (did you mean 'gpus'?)");
  CHECK(refusal("seed", "") == "--set: no key 'seed' in the top level");
}

TEST_CASE("an override is a flow value", "[yaml]") {
  const auto value = [](const char* text) {
    return *with_override(example(), "v", text).find("v");
  };
  CHECK(value("[1, 2]").items().size() == 2);
  CHECK(value("[1, 2]").items()[1].origin() == "--set v");
  CHECK(value("{a: 1}").find("a")->text() == "1");
  CHECK(value("${gpus / 2}").text() == "${gpus / 2}");
  CHECK(value("'8'").quoted());
  CHECK(refusal("v", "a: 1") == "--set v: write a mapping as {key: value}");
  CHECK(refusal("v", "- 1") == "--set v: write a list as [first, second]");
  CHECK(refusal("v", "[1") == "--set v: a key must be text, or a closing bracket is missing");
}

TEST_CASE("a path that leads nowhere is refused", "[yaml]") {
  CHECK(refusal("link.x") == "--set: no key 'link' in the top level (did you mean 'links'?)");
  CHECK(refusal("links[0].isa.waves") == "--set: no key 'isa' in 'links[0]'");
  CHECK(refusal("links[2].latency") == "--set: no index [2] in 'links', a list of 2");
  CHECK(refusal("params[0]") == "--set: 'params' is a mapping, not a list");
  CHECK(refusal("links.latency") == "--set: 'links' is a list, not a mapping");
  CHECK(refusal("params.gpus.x") == "--set: 'params.gpus' is text, not a mapping");
  CHECK(refusal("") == "--set: a key is missing in the path ''");
  CHECK(refusal("params.") == "--set: a key is missing in the path 'params.'");
  CHECK(refusal(".gpus") == "--set: a key is missing in the path '.gpus'");
  CHECK(refusal("[0]") == "--set: a key is missing in the path '[0]'");
  CHECK(refusal("links[0") == "--set: ']' is missing in the path 'links[0'");
  CHECK(refusal("links[0]x") == "--set: expected '.' or '[' in the path 'links[0]x'");
  CHECK(refusal("links]") == "--set: expected '.' or '[' in the path 'links]'");
  CHECK(refusal("links[x]") ==
        "--set: index [x] in the path 'links[x]': expected an integer, got \"x\"");
}
