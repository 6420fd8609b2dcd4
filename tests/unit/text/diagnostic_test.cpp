#include "platform/text/diagnostic.hpp"

#include <catch2/catch.hpp>

#include "platform/text/quote.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

TEST_CASE("control characters are written out, all other text stays", "[text]") {
  CHECK(control_escaped("a\x1b[31mred\x7f\r") == "a\\x1b[31mred\\x7f\\x0d");
  CHECK(control_escaped(std::string("\0", 1)) == "\\x00");
  CHECK(control_escaped("one\n\ttwo") == "one\n\ttwo");
  CHECK(control_escaped("\xc2\x9b"
                        "31m") == "\\xc2\\x9b31m");  // U+009B also begins a sequence
  // Bytes of these letters look like control characters: U+00E9, U+011B, U+4E1B, U+1F41B.
  for (const char* each : {"\xc3\xa9", "\xc4\x9b", "\xe4\xb8\x9b", "\xf0\x9f\x90\x9b", "\xc2"})
    CHECK(control_escaped(each) == each);
}

TEST_CASE("a message quotes no escape sequence, neither of a text nor of a file name", "[text]") {
  const user_error error({"a\x1b[2J.yaml", 3, 1}, "unknown key 'a\x1b[31mred'");
  CHECK(std::string(error.what()) == "a\\x1b[2J.yaml:3:1: unknown key 'a\\x1b[31mred'");
  CHECK(error.place().file.str() == "a\x1b[2J.yaml");
  CHECK(error_message<user_error>([] {
          yaml_mapping(parse_yaml_text("\"a\\e[31mred\": 1\n", "f.yaml"), "netlist").finish();
        }) == "f.yaml:1:1: unknown key 'a\\x1b[31mred' in netlist");
}
