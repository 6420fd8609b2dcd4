// What the generator says about each mistake in a *.regs.yaml: place, reason and likely fix.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tools/regs/parse.hpp"

using namespace heddle;

namespace {

struct mistake {
  std::string text;
  std::string message;
};

// The message, or "" when the text is right.
std::string message_of(const std::string& text) {
  try {
    regs::parse_text(text, "x");
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

// The lines from the fifth on are those of the registers.
std::string with_registers(const std::string& registers) {
  return "block: b\nmeaning: m\nsize: 0x40\nregisters:\n" + registers;
}

void check(const std::vector<mistake>& mistakes) {
  for (const mistake& one : mistakes) {
    INFO(one.text);
    CHECK(message_of(with_registers(one.text)) == one.message);
  }
}

const std::string rest = "width: 32, access: RW, meaning: m}\n";

}  // namespace

TEST_CASE("the template of the tests is right") {
  CHECK(message_of(with_registers("- {name: a, offset: 0x0, " + rest)).empty());
}

TEST_CASE("mistakes of the block") {
  const std::string registers = "registers: [{name: a, offset: 0, " + rest.substr(0, 34) + "]\n";
  const std::vector<mistake> mistakes = {
      {"block: b\nmeaning: m\nsize: 0x40\n", "x:1:1: the block has no registers"},
      {"block: B\nmeaning: m\nsize: 8\n" + registers, "x:1:8: name \"B\" is not snake_case"},
      {"block: union\nmeaning: m\nsize: 8\n" + registers,
       "x:1:8: name 'union' is a word of the C++ language"},
      {"block: b\nmeaning: m\nsize: 12\n" + registers, "x:3:7: size is not a multiple of 8"},
      {"block: b\nmeaning: m\nsize: 0x2000000\n" + registers,
       "x:3:7: 0x2000000 is not within 0x4..0x1000000"},
      {"block: b\nmeanin: m\nsize: 8\n" + registers,
       "x:1:1: missing key 'meaning' in register block (is 'meanin' meant?)"},
      {"block: b\nmeaning: m\nsize: 8\nregistres: []\n",
       "x:4:1: unknown key 'registres' in register block (did you mean 'registers'?)"},
      {"block: b\nmeaning: m\nsize: 8\nregisters: []\n",
       "x:4:12: registers must be a list that is not empty"}};
  for (const mistake& one : mistakes) {
    INFO(one.text);
    CHECK(message_of(one.text) == one.message);
  }
}

TEST_CASE("mistakes of a register") {
  check({
      {"- {name: IrqStatus, offset: 0, " + rest, "x:5:10: name \"IrqStatus\" is not snake_case"},
      {"- {name: a__b, offset: 0, " + rest, "x:5:10: name \"a__b\" is not snake_case"},
      {"- {name: default, offset: 0, " + rest,
       "x:5:10: name 'default' is a word of the C++ language"},
      {"- {name: not_eq, offset: 0, " + rest,
       "x:5:10: name 'not_eq' is a word of the C++ language"},
      {"- {name: static_cast, offset: 0, " + rest,
       "x:5:10: name 'static_cast' is a word of the C++ language"},
      {"- {name: path, offset: 0, " + rest, "x:5:10: name 'path' is taken by the generated code"},
      {"- {name: trace, offset: 0, " + rest, "x:5:10: name 'trace' is taken by the generated code"},
      {"- {name: register_handle, offset: 0, " + rest,
       "x:5:10: name 'register_handle' is taken by the generated code"},
      {"- {name: errno, offset: 0, " + rest, "x:5:10: name 'errno' is a macro of the C library"},
      {"- {name: a, offset: 2, " + rest,
       "x:5:21: offset 0x2 of register 'a' is not a multiple of its 4 bytes"},
      {"- {name: a, offset: 4, width: 64, access: RW, meaning: m}",
       "x:5:21: offset 0x4 of register 'a' is not a multiple of its 8 bytes"},
      {"- {name: a, offset: 0, width: 16, access: RW, meaning: m}",
       "x:5:31: unknown width \"16\" (one of 32, 64)"},
      {"- {name: a, offset: 0, width: 32, access: W1D, meaning: m}",
       "x:5:43: unknown access \"W1D\" (did you mean 'W1C'?)"},
      {"- {name: a, offset: 0, width: 32, access: RW, sync: allways, meaning: m}",
       "x:5:53: unknown sync \"allways\" (did you mean 'always'?)"},
      {"- {name: a, offset: 0, width: 32, access: RO, sync: write, meaning: m}",
       "x:5:53: sync: write has no effect, because register 'a' is RO"},
      {"- {name: a, offset: 0, width: 32, access: RO, acts: true, meaning: m}",
       "x:5:53: acts: true has no effect, because register 'a' is RO"},
      {"- {name: a, offset: 0, width: 32, access: WO, read_acts: true, meaning: m}",
       "x:5:58: read_acts: true has no effect, because register 'a' is WO"},
      {"- {name: a, offset: 0, width: 32, access: RC, read_acts: true, meaning: m}",
       "x:5:58: read_acts: true has no effect, because register 'a' is RC"},
      {"- {name: a, offset: 0, width: 32, access: RW, other_bits: free, meaning: m}",
       "x:5:59: unknown other_bits \"free\" (one of reserved, ignored)"},
      {"- {name: a, offset: 0, width: 32, access: RW, other_bits: ignored, meaning: m}",
       "x:5:59: other_bits has no effect, because register 'a' has no fields"},
      {"- {name: a, offset: 0, width: 32, access: RO, other_bits: ignored, meaning: m, fields: "
       "[{name: f, bits: 0, meaning: m}]}",
       "x:5:59: other_bits has no effect, because register 'a' is RO"},
      {"- {name: a, offset: 0, width: 32, access: RW, reset: 0x100000000, meaning: m}",
       "x:5:54: reset 0x100000000 does not fit the 32 bits of register 'a'"},
      {"- {name: a, offset: 0, width: 32, access: RW, reset: -1, meaning: m}",
       "x:5:54: expected an integer, got \"-1\", which must not be negative"},
      {"- {name: a, offset: 0, width: 32, access: RW, rest: 0, meaning: m}",
       "x:5:47: unknown key 'rest' in register (did you mean 'reset'?)"},
      {"- {name: a, offset: 0, width: 32, access: RW, meaning: \"a\\nb\"}",
       "x:5:56: a meaning is one line of text"},
  });
}

TEST_CASE("registers that do not fit beside one another") {
  const std::string first = "- {name: a, offset: 0x8, width: 64, access: RW, meaning: m}\n";
  check({
      {first + "- {name: b, offset: 0xc, " + rest,
       "x:6:10: register 'b' at 0xc..0xf overlaps register 'a' at 0x8..0xf"},
      {first + "- {name: b, offset: 0x8, " + rest,
       "x:6:10: register 'b' at 0x8..0xb overlaps register 'a' at 0x8..0xf"},
      {first + "- {name: a, offset: 0x10, " + rest,
       "x:6:10: second register or array 'a'; the first is in line 5"},
      {"- {name: a, offset: 0x40, " + rest,
       "x:5:10: register 'a' at 0x40..0x43 is beyond block 'b', 0x40 bytes"},
      {"- {name: block_size, offset: 0x0, " + rest,
       "x:5:10: two things get the name 'B_BLOCK_SIZE'; the first is in line 1"},
  });
}

TEST_CASE("mistakes of a field") {
  const auto fields = [](const std::string& text) {
    return "- {name: a, offset: 0, width: 32, access: RW, meaning: m, reset: 1, fields: [\n" +
           text + "]}\n";
  };
  const auto read_only = [](const std::string& access, const std::string& of_field) {
    return "- {name: a, offset: 0, width: 32, access: " + access +
           ", meaning: m, fields: [\n{name: f, bits: 0, access: " + of_field + ", meaning: m}]}\n";
  };
  check({
      {fields("{name: f, bits: \"32:0\", meaning: m}"),
       "x:6:17: bit 32 of field 'f' is beyond the 32 bits of register 'a'"},
      {fields("{name: f, bits: \"0:3\", meaning: m}"),
       "x:6:17: bits \"0:3\" have the low bit first (write \"3:0\")"},
      {fields("{name: f, bits: 3-0, meaning: m}"),
       "x:6:17: bits \"3-0\" are neither \"high:low\" nor one bit number"},
      {fields("{name: f, bits: \"3:0\", meaning: m}, {name: g, bits: 3, meaning: m}"),
       "x:6:44: field 'g' overlaps field 'f'"},
      {fields("{name: f, bits: 0, meaning: m}, {name: f, bits: 3, meaning: m}"),
       "x:6:40: second field 'f'; the first is in line 6"},
      {fields("{name: f, bits: 1, meaning: m}"),
       "x:5:66: reset 0x1 sets bits outside the fields of register 'a'"},
      {fields("{name: value, bits: 0, meaning: m}"),
       "x:6:8: name 'value' is taken by the generated code"},
      {fields("{name: f, bits: 0, meaning: m, values: {ON: 2}}"),
       "x:6:45: value 2 of 'ON' does not fit field 'f', bits 0"},
      {fields("{name: f, bits: 0, meaning: m, values: {ON: 1, YES: 1}}"),
       "x:6:53: 'ON' and 'YES' of field 'f' are both 1"},
      {fields("{name: f, bits: 0, meaning: m, values: {On: 1}}"),
       "x:6:41: name \"On\" of a value is not UPPER_CASE"},
      {fields("{name: f, bits: 0, meaning: m, values: {EOF: 0}}"),
       "x:6:41: name 'EOF' is a macro of the C library"},
      {fields("{name: f, bits: 0, meaning: m, values: {EIO: 0}}"),
       "x:6:41: name 'EIO' is a macro of the C library"},
      {fields("{name: f, bits: 0, meaning: m, values: {LITTLE_ENDIAN: 0}}"),
       "x:6:41: name 'LITTLE_ENDIAN' is a macro of the C library"},
      {fields("{name: register_field, bits: 0, meaning: m}"),
       "x:6:8: name 'register_field' is taken by the generated code"},
      {fields("{name: f, bits: 0, meaning: m, values: [ON]}"),
       "x:6:40: values must be a mapping of names to numbers"},
      {fields("{name: f, bit: 0, meaning: m}"),
       "x:6:1: missing key 'bits' in field (is 'bit' meant?)"},
      {read_only("WO", "W1C"), "x:6:28: field 'f' is W1C, but register 'a' is WO"},
      {read_only("RO", "RW"), "x:6:28: field 'f' is RW, but register 'a' is RO"},
  });
}

TEST_CASE("mistakes of an array") {
  const auto array = [](const std::string& shape, const std::string& registers) {
    return "block: b\nmeaning: m\nsize: 0x100\nregisters:\n- {name: a, offset: 0x0, " + rest +
           "arrays:\n- {name: c, " + shape + ", registers: [\n" + registers + "]}\n";
  };
  const std::string word = "{name: r, offset: 0x0, width: 32, access: RW, meaning: m}";
  const std::string wide = "{name: r, offset: 0x8, width: 64, access: RW, meaning: m}";
  const std::vector<mistake> mistakes = {
      {array("offset: 0x0, count: 2, stride: 0x10", word),
       "x:7:3: array 'c' at 0x0..0x1f overlaps register 'a' at 0x0..0x3"},
      {array("offset: 0x80, count: 9, stride: 0x10", word),
       "x:7:3: array 'c' at 0x80..0x10f is beyond block 'b', 0x100 bytes"},
      {array("offset: 0x80, count: 2, stride: 0x8", wide),
       "x:8:8: register 'r' at 0x8..0xf is beyond the stride of array 'c', 0x8 bytes"},
      {array("offset: 0x80, count: 2, stride: 0x14", wide),
       "x:7:3: stride 0x14 of array 'c' is not a multiple of 8"},
      {array("offset: 0x84, count: 2, stride: 0x10", wide),
       "x:7:3: offset 0x84 of array 'c' is not a multiple of 8"},
      {array("offset: 0x80, count: 0, stride: 0x10", word),
       "x:7:34: 0x0 is not within 0x1..0x1000000"},
      {array("offset: 0x80, count: 2, stride: 0x10", word + ", " + word),
       "x:8:67: second register 'r'; the first is in line 8"},
      {array("offset: 0x80, count: 2, size: 0x10", word), "x:7:3: missing key 'stride' in array"}};
  for (const mistake& one : mistakes) {
    INFO(one.text);
    CHECK(message_of(one.text) == one.message);
  }
}

TEST_CASE("mistakes of a rule") {
  const auto rule = [](const std::string& access, const std::string& text) {
    return "- {name: s, offset: 0, width: 32, access: RO, meaning: m, fields: [{name: state, bits: "
           "0, meaning: m, values: {IDLE: 0, BUSY: 1}}]}\n"
           "- {name: a, offset: 4, width: 32, access: " +
           access + ", meaning: m, rules: [\n" + text + "]}\n";
  };
  check({
      {rule("RW", "{only_while: {field: s.state, is: IDLE}}"), ""},
      {rule("RW", "{only_while: {field: s.stat, is: IDLE}}"),
       "x:7:22: unknown field \"s.stat\" in a rule (did you mean 's.state'?)"},
      {rule("RW", "{only_while: {field: s.state, is: IDEL}}"),
       "x:7:35: unknown value \"IDEL\" of field 's.state' (did you mean 'IDLE'?)"},
      {rule("RW", "{only_while: {field: s.state, is: 2}}"),
       "x:7:35: value 2 does not fit field 's.state', bits 0"},
      {rule("RW", "{only_while: {field: s.state, is: []}}"),
       "x:7:35: is must be a list that is not empty"},
      {rule("RW", "{only_when: {field: s.state, is: IDLE}}"),
       "x:7:1: no rule in 'only_when' (did you mean 'only_while'?)"},
      {rule("RC", "{only_while: {field: s.state, is: IDLE}}"),
       "x:6:66: a rule guards writes, but register 'a' is RC"},
      {rule("RW", "{never_while: {field: s.state, is: BUSY}, hint: wait}"), ""},
      {rule("RW", "{never_while: {field: s.state, is: BUSY}, hnt: wait}"),
       "x:7:43: unknown key 'hnt' in rule (did you mean 'hint'?)"},
      {rule("RW", "{multiple_of: 4, between: [0, 8]}"), "x:7:18: unknown key 'between' in rule"},
  });
}

TEST_CASE("mistakes of a contract") {
  const auto rule = [](const std::string& text) {
    return "- {name: r, offset: 0, width: 32, access: RO, meaning: m}\n"
           "- {name: flags, offset: 4, width: 32, access: W1C, meaning: m}\n"
           "- {name: wide, offset: 8, width: 64, access: RW, meaning: m}\n"
           "- {name: f, offset: 16, width: 32, access: RW, meaning: m, fields: [{name: on, bits: "
           "0, meaning: m}], rules: [{after: wide}]}\n"
           "- {name: a, offset: 20, width: 32, access: RW, meaning: m, rules: [\n" +
           text + "]}\n";
  };
  check({
      {rule("{after: [wide, flags]}"), ""},
      {rule("{after: [wide], since: last_write}"), ""},
      {rule("{after: [wide], since: lunch}"),
       "x:10:24: unknown since \"lunch\" (one of reset, last_write)"},
      {rule("{after: [wied]}"),
       "x:10:10: unknown register \"wied\" in a rule (did you mean 'wide'?)"},
      {rule("{after: [a]}"), "x:10:10: register 'a' cannot come after itself"},
      {rule("{after: [r]}"), "x:10:10: nobody writes register 'r', it is RO"},
      {rule("{cleared: flags, enabled_by: wide}"), ""},
      {rule("{cleared: wide}"), "x:10:11: nobody clears register 'wide', it is RW and not W1C"},
      {rule("{ring: {completed: r, entries: flags}}"), ""},
      {rule("{ring: {completed: wide, entries: r}}"),
       "x:10:20: a ring counts in whole registers of 32 bits, 'wide' is none"},
      {rule("{multiple_of: 1}"), "x:10:15: multiple_of 1 means nothing"},
      {rule("{between: [5, 4]}"), "x:10:11: between allows nothing: 5 is more than 4"},
      {rule("{between: [5]}"), "x:10:11: between names the lowest and the highest value"},
      {rule("{between: [0, 0x100000000]}"),
       "x:10:1: value 4294967296 does not fit the 32 bits of register 'a'"},
  });
}
