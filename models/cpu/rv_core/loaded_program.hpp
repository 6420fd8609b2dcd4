// The program of a core: its ELF file in memory, and what its addresses are called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/cpu/bus_view.hpp"
#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "platform/contracts/access_origin.hpp"

namespace heddle {

class unit;

class loaded_program {
 public:
  // Both must outlive it. There is no program yet.
  loaded_program(const unit& core, rv::any_hart& hart) : core_(core), hart_(hart) {}

  // `name`: as messages call it. `file`: of ELF, for the width of the hart; throws user_error. A
  // program that may lie anywhere (sw/start/moving.ld) goes to `local`. The hart starts at the
  // program's entry.
  void read(const std::string& name, const std::string& file, std::uint64_t local);
  bool is_there() const { return image_.has_value(); }
  // Writes the segments to memory; user_error where there is none, for the stack neither.
  void load(const bus_view& bus) const;

  const std::string& name() const { return name_; }
  const symbol_table& symbols() const { return symbols_; }
  std::optional<std::uint64_t> address_of(const char* symbol) const {
    return image_->address_of(symbol);
  }
  // It lies in instructions that the program does not write.
  bool is_code(std::uint64_t address) const;
  // Stores to its instructions leave the hart's fast path.
  void watch_code() const;
  std::string function_at(std::uint64_t address) const {
    return symbols_.function_at(address - moved_);
  }
  const elf_symbol* object_at(std::uint64_t address) const { return image_->object_at(address); }

  code_line line_at(const code_point& point) const;
  // "pc 0x80000004 in start": what the hart executes, with the caller where the function says
  // little.
  std::string position() const;

 private:
  void load(const elf_segment& segment, const bus_view& bus) const;
  void check_stack(const bus_view& bus) const;

  const unit& core_;
  rv::any_hart& hart_;
  std::string name_;
  std::optional<elf_image> image_;
  symbol_table symbols_;
  std::uint64_t moved_ = 0;  // bytes from where the program was linked to where it lies
};

}  // namespace heddle
