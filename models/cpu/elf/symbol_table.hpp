// What an address in a program is called: its function, and the line of source it comes from where
// the program was compiled with -g.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/elf/elf_image.hpp"

namespace heddle {

struct source_line {
  std::string file;  // as the compiler was given it; "" when unknown
  int line = 0;
};

// Where all addresses from `first` to before `end` lie.
struct function_range {
  static constexpr std::size_t no_function = SIZE_MAX;
  std::size_t index = no_function;  // in the symbol table
  std::uint64_t first = 0, end = UINT64_MAX;

  bool holds(std::uint64_t address) const { return first <= address && address < end; }
};

class symbol_table {
 public:
  symbol_table() = default;
  explicit symbol_table(const elf_image& image) : symbol_table(image.content(), image.symbols()) {}
  symbol_table(const std::vector<std::byte>& content, const std::vector<elf_symbol>& symbols);

  // "" when no function is there.
  std::string function_at(std::uint64_t address) const;
  source_line line_at(std::uint64_t address) const;
  // By address; an assembly label, which has no size, reaches to the next function.
  std::size_t function_count() const { return functions_.size(); }
  const std::string& function_name(std::size_t index) const { return functions_[index].name; }
  function_range range_at(std::uint64_t address) const;
  // "0x8000012a in dma_open (sw/drivers/dma.c:57)", as far as it is known.
  std::string describe(std::uint64_t address) const;

 private:
  struct line_row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;
    int line = 0;  // 0: nothing is known from here on
  };

  void read_functions(const std::vector<elf_symbol>& symbols);
  void read_lines(const std::vector<std::byte>& content);
  void read_rows(const std::vector<std::byte>& content);

  std::vector<elf_symbol> functions_;  // by address
  std::vector<std::string> files_;
  std::vector<line_row> lines_;  // by address
};

}  // namespace heddle
