#include <catch2/catch.hpp>

#include "platform/yaml/parse.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

namespace {

std::string refusal(const std::string& text) {
  return error_message<user_error>([&] { parse_yaml_text(text, "f.yaml"); });
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("a tree knows where everything was written", "[yaml]") {
  const yaml_node root = parse_yaml_text("a: 1\nb:\n  - x\n  - \"y\"\nc: {d: ~}\n", "f.yaml");
  REQUIRE(root.is_mapping());
  REQUIRE(root.keys() == std::vector<std::string>{"a", "b", "c"});
  CHECK(root.origin() == "f.yaml:1:1");
  CHECK(root.find("a")->text() == "1");
  CHECK(root.find("a")->origin() == "f.yaml:1:4");
  CHECK(root.entries()[1].key_place.text() == "f.yaml:2:1");
  const yaml_node list = *root.find("b");
  REQUIRE(list.items().size() == 2);
  CHECK_FALSE(list.items()[0].quoted());
  CHECK(list.items()[1].quoted());
  CHECK(list.items()[1].text() == "y");
  CHECK(list.items()[1].origin() == "f.yaml:4:5");
  CHECK(root.find("c")->find("d")->is_null());
  CHECK(root.find("z") == nullptr);
  CHECK(list.find("a") == nullptr);
  CHECK(yaml_node().is_null());
  CHECK(yaml_node().origin().empty());
}

TEST_CASE("empty documents are null", "[yaml]") {
  for (const char* text : {"", "\n\n", "# comment\n", "---\n", "---\n...\n", "~"}) {
    CAPTURE(text);
    const yaml_node root = parse_yaml_text(text, "f.yaml");
    CHECK(root.is_null());
    CHECK(root.place().line >= 1);
  }
}

TEST_CASE("lines may end as on other systems", "[yaml]") {
  const yaml_node root = parse_yaml_text("a: 1\r\nb: 2\r\n", "f.yaml");
  CHECK(root.find("a")->text() == "1");
  CHECK(root.find("b")->origin() == "f.yaml:2:4");
}

TEST_CASE("what our files do without is refused", "[yaml]") {
  CHECK(refusal("a: 1\nb: 2\na: 3\n") == "f.yaml:3:1: duplicate key 'a' (first at f.yaml:1:1)");
  CHECK(refusal("{a: 1, \"a\": 2}") == "f.yaml:1:8: duplicate key 'a' (first at f.yaml:1:2)");
  CHECK(refusal("a: &x 1\n") == "f.yaml:1:4: anchors (&x) are not supported");
  CHECK(refusal("a: 1\nb: *x\n") == "f.yaml:2:4: aliases (*name) are not supported");
  CHECK(refusal("a: !!str 1\n") == "f.yaml:1:4: tags (!name) are not supported");
  CHECK(refusal("a: ! x\n") == "f.yaml:1:4: tags (!name) are not supported");
  CHECK(refusal("a: !\n") == "f.yaml:1:4: tags (!name) are not supported");
  CHECK(refusal("!") == "f.yaml:1:1: tags (!name) are not supported");
  CHECK(refusal("!m {a: 1}\n") == "f.yaml:1:1: tags (!name) are not supported");
  CHECK(refusal("a:\n  <<: {b: 1}\n") == "f.yaml:2:3: merge keys (<<) are not supported");
  CHECK(refusal("a: 1\n---\nb: 1\n") == "f.yaml:2:1: a second document; one a file, please");
  CHECK(refusal("? [a]\n: 1\n") ==
        "f.yaml:1:3: a key must be text, or a closing bracket is missing");
  CHECK(refusal("{{a: 1}: 1}\n") ==
        "f.yaml:1:2: a key must be text, or a closing bracket is missing");
  CHECK(refusal("? - a\n: 1\n") == "f.yaml:1:3: a key must be text, not a list or mapping");
  CHECK(refusal("# x\n\n%YAML 1.2\n---\n") == "f.yaml:3:1: directives (%name) are not supported");
  CHECK(refusal("a: \"\\u0000\"") == "f.yaml:1:4: text that holds a zero byte");
  CHECK(refusal("a: 1\n: 2\n") == "f.yaml:2:1: a key is missing before ':'");
  CHECK(refusal("~: 2\n") == "f.yaml:1:1: a key is missing before ':'");
}

TEST_CASE("bytes that no file may hold are refused", "[yaml]") {
  CHECK(refusal("a:\n\tb: 1\n") == "f.yaml:2:1: a tab; indent and separate with spaces");
  CHECK(refusal(std::string("a: \0", 4)) == "f.yaml:1:4: control character 0x00");
  CHECK(refusal("a: 1\rb: 2") == "f.yaml:1:5: control character 0x0d");
  CHECK(refusal("\xef\xbb\xbf"
                "a: 1") == "f.yaml:1:1: a byte order mark");
  CHECK(refusal("a: \xc3\x28") == "f.yaml:1:4: byte 0xc3 is not UTF-8");
  CHECK(refusal("a: \xed\xa0\x80") == "f.yaml:1:4: byte 0xed is not UTF-8");
  CHECK(refusal("a: \xf4\x90\x80\x80") == "f.yaml:1:4: byte 0xf4 is not UTF-8");
  CHECK(parse_yaml_text("a: \xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80", "f.yaml").is_mapping());
}

TEST_CASE("what the library is lax about is refused", "[yaml]") {
  CHECK(refusal("a: 'x\n") == "f.yaml:1:4: the closing quote is missing");
  CHECK(refusal("a: \"x\\\"\n") == "f.yaml:1:4: the closing quote is missing");
  CHECK(refusal("'x''\n") == "f.yaml:1:1: the closing quote is missing");
  CHECK(parse_yaml_text("a: 'x''y'", "f").find("a")->text() == "x'y");
  CHECK(parse_yaml_text("a: \"x\\\"y\"", "f").find("a")->text() == "x\"y");
  CHECK(refusal("a: 1\nb\n") == "f.yaml:2:1: expected ': ' after the key 'b'");
  CHECK(refusal("{a: 1, b:2}") == "f.yaml:1:8: expected ': ' after the key 'b:2'");
  CHECK(refusal("{a, b: 1}") == "f.yaml:1:2: expected ': ' after the key 'a'");
  CHECK(refusal("{b: 1, \"a:\"}") == "f.yaml:1:8: expected ': ' after the key 'a:'");
  CHECK(refusal("? a\n") == "f.yaml:1:3: expected ': ' after the key 'a'");
  CHECK(parse_yaml_text("a:\nb:", "f").find("b")->is_null());
  CHECK(parse_yaml_text("{a: , b: }", "f").find("b")->is_null());
  CHECK(parse_yaml_text("{\"a\": , 'b'  : }", "f").find("b")->is_null());
  CHECK(refusal("\xc2\xb5: '\xc3\xa9'\r\nb: 'x\r\n") == "f.yaml:2:4: the closing quote is missing");
  CHECK(refusal("\xc2\xb5: 1\r\nb\r\n") == "f.yaml:2:1: expected ': ' after the key 'b'");
  CHECK(refusal("[a, , b]") == "f.yaml:1:5: a value is missing before ','");
  CHECK(parse_yaml_text("[a, ~, ]", "f").items().size() == 2);
  CHECK(refusal("- a\nb\n") == "f.yaml:2:1: text after the end of the document");
  CHECK(refusal("[1, 2\n") == "f.yaml:1:1: a key must be text, or a closing bracket is missing");
}

TEST_CASE("malformed YAML names its place", "[yaml]") {
  CHECK(refusal("a: [1, 2\nb: 3\n") ==
        "f.yaml:2:2: malformed YAML: end of sequence flow not found");
  CHECK(refusal("a: b: c\n") == "f.yaml:1:5: malformed YAML: illegal map value");
  CHECK(refusal("a: 'x") == "f.yaml:1:6: malformed YAML: illegal EOF in scalar");
}

TEST_CASE("depth and size are bounded", "[yaml]") {
  CHECK_NOTHROW(parse_yaml_text(repeated("[", 64) + repeated("]", 64), "f.yaml"));
  CHECK(refusal(repeated("[", 65) + repeated("]", 65)) ==
        "f.yaml:1:65: nested deeper than 64 levels");
  for (const char* nesting : {"[", "{a: ", "- ", "? ", "[{a: ", "- ? ", "a: ["}) {
    CAPTURE(nesting);
    CHECK_THROWS_AS(parse_yaml_text(repeated(nesting, 100'000), "f.yaml"), user_error);
  }
  CHECK(refusal(repeated("- ", 100'000)) == "f.yaml:1:129: nested deeper than 64 levels");
  CHECK(refusal(std::string((4 << 20) + 1, ' ')) == "f.yaml: larger than 4 MiB");
  CHECK(refusal("[" + repeated("1,", 500'001) + "]").find("more than 500000 values") !=
        std::string::npos);
}

TEST_CASE("files that cannot be read are named", "[yaml]") {
  const scratch_folder folder;
  const std::string present = folder.write("dgx8.yaml", "a: 1\n");
  const std::string missing = folder.file("dxg8.yaml");
  CHECK(parse_yaml_file(present).find("a")->origin() == present + ":1:4");
  CHECK(error_message<user_error>([&] { parse_yaml_file(missing); }) ==
        "cannot read '" + missing + "': No such file or directory (did you mean 'dgx8.yaml'?)");
  CHECK(error_message<user_error>([&] { parse_yaml_file(folder.path()); }) ==
        "cannot read '" + folder.path() + "': Is a directory");
  CHECK(error_message<user_error>([&] { parse_yaml_file("/dev/zero"); }) ==
        "/dev/zero: larger than 4 MiB");
  // The ending that all netlists have makes none alike.
  const std::string unlike = folder.file("dragon.yaml");
  CHECK(error_message<user_error>([&] { parse_yaml_file(unlike); }) ==
        "cannot read '" + unlike + "': No such file or directory");
}
