#include "platform/yaml/mapping.hpp"

#include <catch2/catch.hpp>

#include "platform/yaml/parse.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

yaml_node parsed(const std::string& text) {
  return parse_yaml_text(text, "f.yaml");
}

yaml_node value_of(const std::string& text) {
  return *parsed("v: " + text).find("v");
}

template <typename Reader>
std::string refusal(const std::string& text, Reader reader) {
  return error_message<user_error>([&] { reader(value_of(text)); });
}

}  // namespace

TEST_CASE("a mapping hands out what it is asked for", "[yaml]") {
  yaml_mapping link(parsed("bandwidth: 450 GB/s\nlatency: 250 ns\n"), "link");
  CHECK(as_bandwidth(link.required("bandwidth")) == 450'000'000'000);
  CHECK(link.has("latency"));
  CHECK_FALSE(link.has("credits"));
  CHECK(link.optional("latency").has_value());
  CHECK_FALSE(link.optional("train").has_value());
  CHECK_NOTHROW(link.finish());
}

TEST_CASE("a mapping refuses what nobody asked for", "[yaml]") {
  yaml_mapping link(parsed("latency: 1 ns\nbandwith: 450 GB/s\nx: 1\n"), "link");
  link.optional("bandwidth");
  link.required("latency");
  CHECK(error_message<user_error>([&] { link.finish(); }) ==
        "f.yaml:2:1: unknown key 'bandwith' in link (did you mean 'bandwidth'?)");
  CHECK(error_message<user_error>([&] { link.required("between"); }) ==
        "f.yaml:1:1: missing key 'between' in link");
}

TEST_CASE("what is not a mapping is named", "[yaml]") {
  const auto read = [](const yaml_node& node) { yaml_mapping(node, "link"); };
  CHECK(refusal("[1]", read) == "f.yaml:1:4: link must be a mapping, got a list");
  CHECK(refusal("1", read) == "f.yaml:1:4: link must be a mapping, got text");
  CHECK(refusal("~", read) ==
        "f.yaml:1:4: link must be a mapping, got nothing (write {} for an empty one)");
}

TEST_CASE("values are read by type", "[yaml]") {
  CHECK(as_text(value_of("fp16")) == "fp16");
  CHECK(as_integer(value_of("\"8\"")) == 8);
  CHECK(as_integer(value_of("-8"), -8, -8) == -8);
  CHECK(as_unsigned(value_of("0xffffffffffffffff")) == UINT64_MAX);
  CHECK(as_double(value_of("1.5e3")) == 1500);
  CHECK(as_bool(value_of("true")));
  CHECK(as_bytes(value_of("64 KiB")) == 65536);
  CHECK(as_duration(value_of("250 ns")) == 250'000'000);
  CHECK(as_list(value_of("[1, 2]")).size() == 2);
  CHECK(as_list(value_of("1")).at(0).text() == "1");
  CHECK(as_choice(value_of("fp16"), "dtype", {"fp16", "bf16"}) == "fp16");
}

TEST_CASE("a wrong value names its place", "[yaml]") {
  CHECK(refusal("[1]", as_text) == "f.yaml:1:4: expected text, got a list");
  CHECK(refusal("~", as_bool) == "f.yaml:1:4: expected true or false, got nothing");
  CHECK(refusal("{}", as_list) == "f.yaml:1:4: expected a list, got a mapping");
  CHECK(refusal("450 GiB", as_bandwidth) ==
        "f.yaml:1:4: expected a bandwidth such as \"450 GB/s\", got \"450 GiB\"");
  CHECK(refusal("[]", as_duration) ==
        "f.yaml:1:4: expected a duration such as \"250 ns\", got a list");
  CHECK(refusal("[]", as_bytes) == "f.yaml:1:4: expected a size such as \"64 KiB\", got a list");
  CHECK(refusal("x", as_double) == "f.yaml:1:4: expected a number, got \"x\"");
  CHECK(refusal("-1", as_unsigned) ==
        "f.yaml:1:4: expected an integer, got \"-1\", which must not be negative");
}

TEST_CASE("integers are held to their range", "[yaml]") {
  CHECK(refusal("0", [](const yaml_node& node) { as_integer(node, 1, 64); }) ==
        "f.yaml:1:4: expected an integer from 1 to 64, got 0");
  CHECK(refusal("1", [](const yaml_node& node) { as_integer(node, 2); }) ==
        "f.yaml:1:4: expected an integer of at least 2, got 1");
  CHECK(refusal("9", [](const yaml_node& node) { as_integer(node, INT64_MIN, 8); }) ==
        "f.yaml:1:4: expected an integer of at most 8, got 9");
}

TEST_CASE("an unknown choice is met with the near one or all", "[yaml]") {
  const auto read = [](const yaml_node& node) { as_choice(node, "dtype", {"fp16", "bf16"}); };
  CHECK(refusal("fp61", read) == "f.yaml:1:4: unknown dtype \"fp61\" (did you mean 'fp16'?)");
  CHECK(refusal("float", read) == "f.yaml:1:4: unknown dtype \"float\" (one of fp16, bf16)");
  CHECK(refusal("[]", read) == "f.yaml:1:4: expected dtype, got a list");
}

TEST_CASE("a mistake inside a scalar has its own column", "[yaml]") {
  const auto read = [](const yaml_node& node) {
    try {
      expand(node.text(), {{"gpus", 8}});
    } catch (const expression_error& error) {
      raise_inside(node, error);
    }
  };
  CHECK(refusal("\"a${gpu}\"", read) == "f.yaml:1:8: unknown name 'gpu' (did you mean 'gpus'?)");
  CHECK(refusal("a${gpu}", read) == "f.yaml:1:7: unknown name 'gpu' (did you mean 'gpus'?)");
}
