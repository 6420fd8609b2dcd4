// What an ELF file of a program for RISC-V says: what goes to memory, where it starts, its symbols.
// 32 and 64 bits, little-endian, linked to fixed addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct elf_segment {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
  std::uint64_t zeros = 0;        // bytes that follow
  bool is_constant_code = false;  // instructions that the program does not write
};

struct elf_symbol {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_function = false;
};

class elf_image {
 public:
  // More than this is a broken file.
  static constexpr std::uint64_t most_segment_bytes = std::uint64_t{1} << 30;

  // Both throw user_error with the reason.
  static elf_image read(const std::string& file);
  static elf_image parse(std::vector<std::byte> content, const std::string& name);

  const std::string& name() const { return name_; }
  int xlen() const { return xlen_; }  // 32 or 64
  std::uint64_t entry() const { return entry_; }
  const std::vector<elf_segment>& segments() const { return segments_; }
  const std::vector<elf_symbol>& symbols() const { return symbols_; }
  std::optional<std::uint64_t> address_of(const std::string& symbol) const;
  // The variable that holds the address; nullptr: none that has a size.
  const elf_symbol* object_at(std::uint64_t address) const;
  const std::vector<std::byte>& content() const { return content_; }
  // What is odd about the program, though it can be loaded: "is built for ...".
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string name_;
  std::vector<std::byte> content_;  // line tables are read from here
  int xlen_ = 64;
  std::uint64_t entry_ = 0;
  std::vector<elf_segment> segments_;
  std::vector<elf_symbol> symbols_;
  std::vector<std::string> warnings_;
};

// The bytes of a file; user_error with the reason.
std::vector<std::byte> read_elf_file(const std::string& file);
// The symbols of an ELF file for any machine.
std::vector<elf_symbol> read_elf_symbols(const std::vector<std::byte>& content,
                                         const std::string& name);

}  // namespace heddle
