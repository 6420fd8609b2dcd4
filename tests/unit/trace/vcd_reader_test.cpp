#include <catch2/catch.hpp>

#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

const std::string header =
    "$timescale 1 fs $end\n$scope module u $end\n$var wire 1 ! a $end\n$var wire 4 \" b $end\n"
    "$var string 1 # s $end\n$upscope $end\n$enddefinitions $end\n";
const std::string start = header + "#0\n$dumpvars\nx!\nbx \"\ns #\n$end\n";

}  // namespace

TEST_CASE("the reader gives back variables and values", "[trace]") {
  const vcd_wave wave = parse_vcd(start + "#5\n1!\nb0011 \"\nsA\\040B #\n#9\n");
  CHECK(wave.variables.size() == 3);
  CHECK(wave.values.size() == 6);
  CHECK(wave.values[4] == vcd_value{5, "u.b", "11", vcd_origin::change});
  CHECK(wave.values[5] == vcd_value{5, "u.s", "A B", vcd_origin::change});
  CHECK(wave.end == 9);
}

TEST_CASE("the reader refuses what viewers forgive", "[trace]") {
  const auto [text, complaint] = GENERATE(table<std::string, std::string>({
      {start + "#5\n#5\n", "does not grow"},
      {start + "#5\n#4\n", "does not grow"},
      {start + "#x\n", "bad time"},
      {start + "#5\n1%\n", "not declared"},
      {start + "#5\nb11111 \"\n", "4 bits"},
      {start + "#5\nb12 \"\n", "bad digits"},
      {start + "#5\n1\"\n", "not '11'"},
      {start + "#5\nsA !\n", "not 'sA'"},
      {start + "#5\nb1 #\n", "not 'b1'"},
      {start + "#5\n1!\n0!\n", "second value"},
      {start + "#5\n1!\n#6\n1!\n", "does not change"},
      {start + "#5\n$dumpvars\n", "out of place"},
      {start + "#5\n$dumpoff\nx!\n$end\n", "misses"},
      {start + "#5\n$dumpoff\nx!\nx!\n$end\n", "dumped twice"},
      {start + "#5\n$dumpoff\nx!\n", "ends inside a dump"},
      {start + "#5\n$comment\n", "unknown command"},
      {start + "#5\nhello\n", "neither"},
      {header + "#0\n1!\n", "before the first time"},
      {header + "$dumpvars\n", "out of place"},
      {"$timescale 1 fs $end\n$scope module u $end\n$enddefinitions $end\n", "not closed"},
      {"$enddefinitions $end\n", "no $timescale"},
      {"$upscope $end\n", "without a scope"},
      {"$date today $end\n", "unknown declaration"},
      {"$var wire 1 ! a $end\n$var wire 1 ! b $end\n", "identifier '!'"},
      {"$var wire 1 ! a $end\n$var wire 1 \" a $end\n", "'a' is declared twice"},
      {"$var wire 99 ! a $end\n", "bad width"},
      {"$var wire 1 ! a", "the file ends"},
  }));
  CAPTURE(text);
  CHECK_THROWS_WITH(parse_vcd(text), Catch::StartsWith("line ") && Catch::Contains(complaint));
}

TEST_CASE("waves are compared by what they say", "[trace]") {
  const vcd_wave wave = parse_vcd(start + "#5\n1!\nb1 \"\n#9\n");
  const std::string difference = first_difference(wave, parse_vcd(start + "#5\nb1 \"\n1!\n#9\n"));
  INFO(difference);
  CHECK(difference.empty());
  CHECK(first_difference(wave, parse_vcd(start + "#5\n1!\nb10 \"\n#9\n")) ==
        "u.b = '1' at 5 fs, but now u.b = '10' at 5 fs");
  CHECK(first_difference(wave, parse_vcd(start + "#5\n1!\n#9\n")) ==
        "u.b = '1' at 5 fs is missing");
  CHECK(first_difference(wave, parse_vcd(start + "#5\n1!\nb1 \"\n#9\n0!\n")) ==
        "u.a = '0' at 9 fs is new");
  CHECK(first_difference(wave, parse_vcd(start + "#5\n1!\nb1 \"\n#10\n")) ==
        "the wave ends at 10 fs");
}
