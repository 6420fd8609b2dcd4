#include "platform/text/quantity.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "platform/text/format_seconds.hpp"
#include "tests/unit/text/error_message.hpp"

using namespace heddle;

TEST_CASE("quantities are exact", "[quantity]") {
  CHECK(parse_duration("0") == 0);
  CHECK(parse_duration("250 ns") == 250'000'000);
  CHECK(parse_duration("250ns") == 250'000'000);
  CHECK(parse_duration(" 0.000001   ns ") == 1);
  CHECK(parse_duration("18446.744073709551615 s") == UINT64_MAX);
  CHECK(parse_bytes("0") == 0);
  CHECK(parse_bytes("64 KiB") == 65536);
  CHECK(parse_bytes("1.5 KiB") == 1536);
  CHECK(parse_bytes("0.0009765625 KiB") == 1);
  CHECK(parse_bytes("1.50 MB") == 1'500'000);
  CHECK(parse_bytes("0.0000000000009094947017729282379150390625 TiB") == 1);
  CHECK(parse_bandwidth("112.5 GB/s") == 112'500'000'000);
  CHECK(parse_bandwidth("100 Gb/s") == 12'500'000'000);
  CHECK(parse_bandwidth("0.008 Kb/s") == 1);
}

TEST_CASE("a quantity without a unit says which units would do", "[quantity]") {
  CHECK(error_message([] { parse_duration("250"); }) ==
        "expected a duration such as \"250 ns\", got \"250\" without a unit "
        "(fs, ps, ns, us, ms or s)");
  CHECK(error_message([] { parse_bytes("64"); }) ==
        "expected a size such as \"64 KiB\", got \"64\" without a unit "
        "(B, KiB, MiB, GiB, TiB, KB, MB, GB or TB)");
  CHECK(error_message([] { parse_bandwidth("0"); }) ==
        "expected a bandwidth such as \"450 GB/s\", got \"0\" without a unit "
        "(B/s, KB/s, MB/s, GB/s, TB/s, Kb/s, Mb/s, Gb/s or Tb/s)");
}

TEST_CASE("a wrong unit is refused, with the near one", "[quantity]") {
  CHECK(error_message([] { parse_bandwidth("450 GiB"); }) ==
        "expected a bandwidth such as \"450 GB/s\", got \"450 GiB\"");
  CHECK(error_message([] { parse_bandwidth("450 GBps"); }) ==
        "expected a bandwidth such as \"450 GB/s\", got \"450 GBps\" (did you mean 'GB/s'?)");
  CHECK(error_message([] { parse_bandwidth("100 Gbps"); }) ==
        "expected a bandwidth such as \"450 GB/s\", got \"100 Gbps\" (did you mean 'Gb/s'?)");
  CHECK(error_message([] { parse_bytes("64 kib"); }) ==
        "expected a size such as \"64 KiB\", got \"64 kib\" (did you mean 'KiB'?)");
  CHECK(error_message([] { parse_duration("3 days"); }) ==
        "expected a duration such as \"250 ns\", got \"3 days\"");
}

TEST_CASE("malformed, inexact and excessive quantities are refused", "[quantity]") {
  for (const char* text : {"", "ns", ".5 ns", "5. ns", "+5 ns", "1e3 ns", "1,5 ns"}) {
    CAPTURE(text);
    CHECK(error_message([&] { parse_duration(text); }) ==
          "expected a duration such as \"250 ns\", got \"" + std::string(text) + "\"");
  }
  CHECK(error_message([] { parse_duration("-5 ns"); }) ==
        "expected a duration such as \"250 ns\", got \"-5 ns\", which is negative");
  CHECK(error_message([] { parse_duration("007 ns"); }) ==
        "leading zeros are not allowed in \"007 ns\": write 7 ns");
  CHECK(error_message([] { parse_duration("0.3 fs"); }) ==
        "\"0.3 fs\" is not a whole number of femtoseconds");
  CHECK(error_message([] { parse_bytes("0.3 KiB"); }) ==
        "\"0.3 KiB\" is not a whole number of bytes");
  CHECK(error_message([] { parse_bandwidth("0.1 Kb/s"); }) ==
        "\"0.1 Kb/s\" is not a whole number of bytes per second");
  CHECK(error_message([] { parse_duration("18446.744073709551616 s"); }) ==
        "\"18446.744073709551616 s\" does not fit 64 bits of femtoseconds");
  CHECK(error_message([] { parse_bytes(std::string(50, '9') + " B"); }) ==
        "\"" + std::string(50, '9') + " B\" does not fit 64 bits of bytes");
}

TEST_CASE("people see four significant digits", "[quantity]") {
  CHECK(format_duration(0) == "0 s");
  CHECK(format_duration(1) == "1 fs");
  CHECK(format_duration(250'000'000) == "250 ns");
  CHECK(format_duration(326'412'345'678) == "326.4 us");
  CHECK(format_duration(35'556) == "35.56 ps");
  CHECK(format_duration(999'949'999) == "999.9 ns");
  CHECK(format_duration(999'950'000) == "1 us");
  CHECK(format_duration(UINT64_MAX) == "18447 s");
  CHECK(format_seconds(0) == "0 s");
  CHECK(format_seconds(11.9631e-3) == "11.96 ms");
  CHECK(format_seconds(0.1e-15) == "0 s");
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(64ULL << 20) == "64 MiB");
  CHECK(format_bytes(1536) == "1.5 KiB");
  CHECK(format_bytes((1ULL << 20) - 1) == "1 MiB");
  CHECK(format_bytes(UINT64_MAX) == "16777216 TiB");
  CHECK(format_bandwidth(0) == "0 B/s");
  CHECK(format_bandwidth(205.7e9) == "205.7 GB/s");
  CHECK(format_bandwidth(205.66666e9) == "205.7 GB/s");
  CHECK(format_bandwidth(999.96e6) == "1 GB/s");
  CHECK(format_bandwidth(1.25e16) == "12500 TB/s");
}

TEST_CASE("energies and counts take the unit in which they are short", "[quantity]") {
  CHECK(format_energy(0) == "0 J");
  CHECK(format_energy(0.5e-12) == "0.5 pJ");
  CHECK(format_energy(576.7e-9) == "576.7 nJ");
  CHECK(format_energy(51.590e-6) == "51.59 uJ");
  CHECK(format_energy(0.211728990) == "211.7 mJ");
  CHECK(format_energy(135.161759) == "135.2 J");
  CHECK(format_energy(0.99996e-3) == "1 mJ");
  CHECK(format_energy(2.5e7) == "25000 kJ");
  CHECK(format_count(842) == "842");
  CHECK(format_count(2'097'152) == "2.097 M");
  CHECK(format_count(211'728'990'208) == "211.7 G");
  CHECK(format_count(999'999) == "1 M");
  CHECK(format_count(3'400'000'000'000) == "3.4 T");
  CHECK(format_count(UINT64_MAX) == "18447 P");
}

TEST_CASE("exact formatters choose the unit people would", "[quantity]") {
  CHECK(exact_bandwidth(112'500'000'000) == "112.5 GB/s");
  CHECK(exact_duration(250'000'000) == "250 ns");
  CHECK(exact_duration(0) == "0 s");
  CHECK(exact_duration(1'000'000'001) == "1.000000001 us");
  CHECK(exact_bytes(64ULL << 20) == "64 MiB");
  CHECK(exact_bytes(64'000'001) == "64000001 B");
  CHECK(exact_bytes(1'000'000'000'000) == "976562500 KiB");
  CHECK(exact_bytes(0) == "0 B");
}

TEST_CASE("what exact formatters print reads back as the same value", "[quantity][property]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::uint64_t value = random() >> (random() % 64);
    if (random() % 2 == 0) value -= value % 1'000'000;
    CAPTURE(value);
    REQUIRE(parse_duration(exact_duration(value)) == value);
    REQUIRE(parse_bytes(exact_bytes(value)) == value);
    REQUIRE(parse_bandwidth(exact_bandwidth(value)) == value);
  }
}

TEST_CASE("what people see is within half a unit of the fourth digit", "[quantity][property]") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    const std::uint64_t duration = value / 2;
    const auto shown = static_cast<double>(parse_duration(format_duration(duration)));
    CAPTURE(duration);
    REQUIRE(shown == Approx(static_cast<double>(duration)).epsilon(0.00050001));
  }
}
