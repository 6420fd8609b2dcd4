// A core with two general registers, a control register and 16 bytes of memory.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "platform/debug/debug_target.hpp"

namespace heddle {

struct fake_target final : debug_target {
  static constexpr std::uint64_t base = 0x1000;
  static constexpr unsigned control = 66;

  explicit fake_target(std::string given) : name(std::move(given)) {}

  const std::string& debug_name() const override { return name; }
  std::string debug_state() const override { return "a<b"; }
  std::string architecture() const override { return "test:64"; }
  const std::vector<debug_register>& debug_registers() const override {
    static const std::vector<debug_register> all = {{"r0", 0, 64, "int", "first"},
                                                    {"pc", 1, 64, "code_ptr", "first"},
                                                    {"control", control, 32, "int", "second"}};
    return all;
  }
  unsigned general_registers() const override { return 2; }
  bool read_register(unsigned number, std::uint64_t& value) override {
    value = number == control ? control_value : registers.at(number);
    return true;
  }
  bool write_register(unsigned number, std::uint64_t value) override {
    if (number == control) return false;
    registers.at(number) = value;
    return true;
  }
  bool read_memory(std::uint64_t address, void* to, std::uint64_t bytes) override {
    if (!holds(address, bytes)) return false;
    std::memcpy(to, &memory[address - base], bytes);
    return true;
  }
  bool write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) override {
    if (!holds(address, bytes)) return false;
    std::memcpy(&memory[address - base], from, bytes);
    return true;
  }
  void memory_changed() override { ++changes; }
  void set_breakpoints(const std::vector<std::uint64_t>& addresses) override {
    breakpoints = addresses;
  }
  void set_watches(const std::vector<debug_watch>& given) override { watches = given; }
  void step() override { steps = true; }
  void cancel_step() override { steps = false; }
  std::uint64_t executed() const override { return 0; }
  void hold_behind(const debug_target* other) override { is_held = other != nullptr; }
  void show_as_done() override {}

  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address >= base && address - base <= memory.size() &&
           bytes <= memory.size() - (address - base);
  }

  std::string name;
  std::vector<std::uint64_t> registers = {0x0123456789abcdef, 0x80000000};
  std::uint64_t control_value = 0x11223344;
  std::vector<unsigned char> memory = std::vector<unsigned char>(16);
  std::vector<std::uint64_t> breakpoints;
  std::vector<debug_watch> watches;
  int changes = 0;
  bool steps = false;
  bool is_held = false;
};

}  // namespace heddle
