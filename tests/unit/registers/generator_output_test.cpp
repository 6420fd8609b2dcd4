// The generator's output as text; that it compiles and works is what the other tests show.
#include <catch2/catch.hpp>

#include <string>

#include "tools/regs/parse.hpp"
#include "tools/regs/write.hpp"

using namespace heddle;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string hostile =
    "block: b\nmeaning: 'ends */ in \\'\nsize: 0x10\nregisters:\n"
    "- {name: a, offset: 0x8, width: 32, access: RW, meaning: 'say \"x\" | /* \\'}\n"
    "- {name: c, offset: 0x0, width: 32, access: RW, meaning: m}\n";

}  // namespace

TEST_CASE("equal inputs give equal outputs") {
  const regs::block once = regs::parse_text(hostile, "x");
  const regs::block again = regs::parse_text(hostile, "other/x");
  CHECK(regs::cpp_header(once, "b.regs.yaml") == regs::cpp_header(again, "b.regs.yaml"));
  CHECK(regs::c_header(once, "b.regs.yaml") == regs::c_header(again, "b.regs.yaml"));
  CHECK(regs::markdown(once) == regs::markdown(again));
}

TEST_CASE("what the user writes ends no comment, literal or cell") {
  const regs::block block = regs::parse_text(hostile, "x");
  CHECK(contains(regs::c_header(block, "s"), "/* RW: say \"x\" | / * \\. */"));
  CHECK(contains(regs::c_header(block, "s"), "ends * / in \\."));
  CHECK(contains(regs::cpp_header(block, "s"), "\"say \\\"x\\\" | /* \\\\\""));
  CHECK(contains(regs::markdown(block), "| say \"x\" \\| /* \\ |"));
}

TEST_CASE("a register whose write acts says so, and has no rule for it") {
  const std::string one = "block: b\nmeaning: m\nsize: 0x10\nregisters:\n";
  const auto header_of = [&](const std::string& more) {
    const std::string text =
        one + "- {name: a, offset: 0, width: 32, access: RW, reset: 0, meaning: m" + more + "}\n";
    return regs::cpp_header(regs::parse_text(text, "x"), "s");
  };
  // reset, line, acts, other bits, a read acts
  CHECK(contains(header_of(""), " true, 5, false, false, false},\n"));
  CHECK(contains(header_of(", acts: true"), " true, 5, true, false, false},\n"));
  CHECK(contains(header_of(", read_acts: true"), " true, 5, false, false, true},\n"));
  CHECK(!contains(header_of(", acts: true"), "register_rule"));
}

TEST_CASE("an enumerator that no signed number holds is unsigned") {
  const std::string text =
      "block: b\nmeaning: m\nsize: 0x10\nregisters:\n"
      "- {name: a, offset: 0, width: 64, access: RW, meaning: m, fields: "
      "[{name: f, bits: \"63:0\", meaning: m, values: {"
      "NONE: 0, TOP: 0x7fffffffffffffff, ALL: 0xffffffffffffffff}}]}\n";
  CHECK(contains(regs::cpp_header(regs::parse_text(text, "x"), "s"),
                 "{ NONE = 0, TOP = 9223372036854775807, ALL = 18446744073709551615u };"));
}

TEST_CASE("the overlay orders its members by offset") {
  const std::string header = regs::c_header(regs::parse_text(hostile, "x"), "s");
  CHECK(contains(header,
                 "struct b_overlay {\n  uint32_t c;\n  uint32_t reserved_4_[1];\n  uint32_t a;\n"
                 "  uint32_t reserved_c_[1];\n};\n"));
}

TEST_CASE("a block is known by what its register id holds, or by a hash of its name") {
  const auto id_with = [](const std::string& registers) {
    return regs::id_of(
        regs::parse_text("block: b\nmeaning: m\nsize: 0x10\nregisters:\n" + registers, "x"));
  };
  const std::string other = "- {name: a, offset: 8, width: 32, access: RW, meaning: m}\n";
  constexpr std::uint32_t of_name = (0x811c9dc5U ^ 'b') * 0x01000193U;
  CHECK(id_with(other) == of_name);
  CHECK(id_with("- {name: id, offset: 0, width: 32, access: RO, reset: 0x77, meaning: m}\n" +
                other) == 0x77);
  CHECK(id_with("- {name: id, offset: 4, width: 32, access: RO, reset: 0x77, meaning: m}\n" +
                other) == of_name);
}
