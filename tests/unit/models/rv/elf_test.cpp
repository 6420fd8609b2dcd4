// What the loader reads, and what it says of files that are broken.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/cpu/elf/native_program.hpp"
#include "models/cpu/elf/symbol_table.hpp"
#include "platform/text/diagnostic.hpp"
#include "tests/unit/models/rv/elf_writer.hpp"

using namespace heddle;

namespace {

std::string refusal(const std::vector<std::byte>& content) {
  try {
    elf_image::parse(content, "x.elf");
    return "accepted";
  } catch (const user_error& error) {
    return error.what();
  }
}

[[gnu::noinline]] const void* where_this_was_called(int) {
  return __builtin_return_address(0);
}

struct firmware_in_cpp {
  [[gnu::noinline]] static std::uint64_t call_site(int number) {
    const void* volatile site = where_this_was_called(number);
    return reinterpret_cast<std::uintptr_t>(site);
  }
};

// C++ writes `f` for float when it encodes the types of a signature.
extern "C" [[gnu::noinline]] std::uint64_t f() {
  const void* volatile site = where_this_was_called(0);
  return reinterpret_cast<std::uintptr_t>(site);
}

template <class T>
std::vector<std::byte> with(std::size_t at, T value) {
  elf_writer writer;
  writer.words = {1, 2, 3};
  std::vector<std::byte> content = writer.bytes();
  std::memcpy(&content.at(at), &value, sizeof value);
  return content;
}

constexpr std::size_t program = sizeof(Elf64_Ehdr);

}  // namespace

TEST_CASE("segments, entry and symbols of either width") {
  for (const int xlen : {32, 64}) {
    elf_writer writer;
    writer.xlen = xlen;
    writer.words = {0x11, 0x22};
    writer.zeros = 100;
    writer.entry = 0x80000004;
    writer.functions = {{"main", 0x80000000}, {"tohost", 0x80001000}};
    const elf_image image = elf_image::parse(writer.bytes(), "x.elf");
    CHECK(image.xlen() == xlen);
    CHECK(image.entry() == 0x80000004);
    REQUIRE(image.segments().size() == 1);
    CHECK(image.segments()[0].address == 0x80000000);
    CHECK(image.segments()[0].bytes.size() == 8);
    CHECK(image.segments()[0].bytes[4] == std::byte{0x22});
    CHECK(image.segments()[0].zeros == 100);
    CHECK(image.address_of("tohost") == 0x80001000);
    CHECK_FALSE(image.address_of("nothing"));
  }
}

TEST_CASE("functions by address") {
  elf_writer writer;
  writer.words = {0};
  writer.functions = {{"second", 0x80000010}, {"first", 0x80000000}};
  const symbol_table symbols(elf_image::parse(writer.bytes(), "x.elf"));
  CHECK(symbols.function_at(0x7fffffff).empty());
  CHECK(symbols.function_at(0x80000000) == "first");
  CHECK(symbols.function_at(0x8000000f) == "first");
  CHECK(symbols.function_at(0x80000010) == "second");
  CHECK(symbols.describe(0x80000012) == "0x80000012 in second");
  CHECK(symbols.line_at(0x80000010).file.empty());
}

#ifdef HEDDLE_SHOWN_PROGRAM
TEST_CASE("lines are of the program's code alone, not of functions that the linker has discarded") {
  const elf_image image = elf_image::read(HEDDLE_SHOWN_PROGRAM);
  const symbol_table symbols(image);
  const auto main = image.address_of("main");
  REQUIRE(main);
  CHECK_FALSE(symbols.line_at(*main).file.empty());
  for (const std::uint64_t nowhere : {0x0, 0x2, 0x40, 0x7fff0000}) {
    INFO(nowhere);
    CHECK(symbols.describe(nowhere) == fmt::format("{:#x}", nowhere));
  }
  CHECK(symbols.line_at(image.segments().back().address + (1 << 30)).file.empty());
}
#endif

TEST_CASE("broken files are refused with a reason") {
  elf_writer empty;
  CHECK(refusal({}) == "x.elf: the file is empty");
  CHECK(refusal(std::vector<std::byte>(100)) == "x.elf: not an ELF file");
  CHECK(refusal(empty.bytes()) == "x.elf: nothing in it is to be loaded");
  CHECK(refusal(with<std::uint16_t>(18, EM_X86_64)) ==
        "x.elf: not for little-endian RISC-V (machine 62)");
  CHECK(refusal(with<std::uint16_t>(16, ET_DYN)) ==
        "x.elf: not linked to fixed addresses (link with -static, without -pie)");
  CHECK(refusal(with<std::uint64_t>(program + 8, 5000)) ==
        "x.elf: segment 0 at 0x80000000 reaches beyond the end of the file");
  CHECK(refusal(with<std::uint64_t>(program + 40, 4)) ==
        "x.elf: segment 0 at 0x80000000 is longer in the file than in memory");
  CHECK(refusal(with<std::uint64_t>(program + 40, std::uint64_t{1} << 40)) ==
        "x.elf: segment 0 at 0x80000000 is longer than 1 GiB");
  CHECK(refusal(with<std::uint64_t>(program + 24, UINT64_MAX - 2)) ==
        "x.elf: segment 0 at 0xfffffffffffffffd wraps around");
  std::vector<std::byte> cut = with<std::uint16_t>(16, ET_EXEC);
  cut.resize(40);
  CHECK(refusal(cut).rfind("x.elf: ", 0) == 0);
  cut.resize(program + 10);
  CHECK(refusal(cut).rfind("x.elf: ", 0) == 0);
}

TEST_CASE("programs for another byte order or ABI are refused before their fields are read") {
  CHECK(refusal(with<std::uint8_t>(EI_DATA, ELFDATA2MSB)) == "x.elf: not for little-endian RISC-V");
  constexpr std::size_t flags = 48;
  CHECK(refusal(with<std::uint32_t>(flags, 8)) ==
        "x.elf: built for lp64e: the core has 32 registers (RVI, not RVE)");
  CHECK(refusal(with<std::uint32_t>(flags, 1)) == "accepted");  // compressed
}

TEST_CASE("an entry point where no code is") {
  CHECK(refusal(with<std::uint64_t>(24, 0x80000001)) == "x.elf: its entry point 0x80000001 is odd");
  CHECK(refusal(with<std::uint64_t>(24, 0x90000000)) ==
        "x.elf: its entry point 0x90000000 lies in no executable segment");
  CHECK(refusal(with<std::uint32_t>(program + 4, PF_R | PF_W)) ==
        "x.elf: its entry point 0x80000000 lies in no executable segment");
}

TEST_CASE("programs that use floating point are taken, those of quadruple precision refused") {
  constexpr std::size_t abi = 48;
  CHECK(refusal(with<std::uint32_t>(abi, 2)) == "accepted");
  CHECK(refusal(with<std::uint32_t>(abi, 4)) == "accepted");
  CHECK(refusal(with<std::uint32_t>(abi, 6)) ==
        "x.elf: built for lp64q: the core has no quadruple precision");
}

TEST_CASE("segments without flags are warned of") {
  const auto warnings = [](const std::vector<std::byte>& content) {
    return elf_image::parse(content, "x.elf").warnings();
  };
  CHECK(warnings(with<std::uint32_t>(48, 4)).empty());
  CHECK(warnings(with<std::uint32_t>(program + 4, 0)) ==
        std::vector<std::string>{"has segments without flags, which are taken as code and data"});
}

TEST_CASE("broken tables of headers are refused, not read as if they were empty") {
  CHECK(refusal(with<std::uint16_t>(54, 1)) ==
        "x.elf: a program header has 1 bytes, not 56 (e_phentsize)");
  CHECK(refusal(with<std::uint16_t>(58, 1)) ==
        "x.elf: a section header has 1 bytes, not 64 (e_shentsize)");
  CHECK(refusal(with<std::uint64_t>(40, std::uint64_t{1} << 40)).rfind("x.elf: ", 0) == 0);
  CHECK(refusal(with<std::uint64_t>(40, 0)).rfind("x.elf: ", 0) == 0);
  CHECK(refusal(with<std::uint16_t>(60, 0xfff0)).rfind("x.elf: ", 0) == 0);
  CHECK(refusal(with<std::uint16_t>(62, 0xfff0)).rfind("x.elf: ", 0) == 0);
}

TEST_CASE("a folder is no program") {
  CHECK_THROWS_WITH(elf_image::read("/"), "/: is a directory");
}

TEST_CASE("a file that is not there") {
  CHECK_THROWS_WITH(elf_image::read("/nonexistent.elf"),
                    "/nonexistent.elf: No such file or directory");
}

TEST_CASE("a call from C is named as in the source, also where C++ names a type so") {
  CHECK(native_program::instance().caller_at(f()).function == "f");
}

TEST_CASE("a call from C++ is named as in the source") {
  const std::uint64_t site = firmware_in_cpp::call_site(1);
  const std::string name = native_program::instance().caller_at(site).function;
  INFO(name);
  CHECK(name.find("firmware_in_cpp::call_site(int)") != std::string::npos);
  CHECK(native_program::instance().caller_at(0).text().empty());
  CHECK(native_program::instance().caller_at(1).text().empty());
}
