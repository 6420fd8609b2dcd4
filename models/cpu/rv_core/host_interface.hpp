// The host-target interface of the public RISC-V tests: a store to the symbol `tohost` ends the
// program or asks for a service, whose answer goes to `fromhost`. 1 is success, another odd number
// is twice the exit code plus 1. A number whose upper 16 bits are 0x0101 writes its lowest byte to
// the console. Any other even one is the address of four words; their one service is write():
// number 64, file, address, bytes.
//
// A core of 32 bits stores the number in two halves, in either order. A lower half without an upper
// one counts by itself at the next access to the bus, or when its block of instructions ends.
#pragma once

#include <cstdint>
#include <optional>

#include "models/cpu/rv_core/program_end.hpp"

namespace heddle {

class host_interface {
 public:
  // All must outlive it.
  host_interface(const bus_view& bus, rv::any_hart& hart, const loaded_program& program,
                 core_clock& clock, program_end& end)
      : bus_(bus), hart_(hart), program_(program), clock_(clock), end_(end) {}

  void connect();  // the program has been read
  std::optional<std::uint64_t> address() const { return tohost_; }
  bool holds(std::uint64_t address) const;
  // The number, or half of it. It is taken: memory keeps 0 in its place.
  void store(std::uint64_t address, unsigned bytes, std::uint64_t value);
  void finish();  // no upper half has come

 private:
  void write(std::uint64_t value);
  void serve(std::uint64_t request);
  void write_console(char character);
  void answer(std::uint64_t value);
  void write_memory(std::uint64_t address, const void* from, std::uint64_t bytes);

  const bus_view& bus_;
  rv::any_hart& hart_;
  const loaded_program& program_;
  core_clock& clock_;
  program_end& end_;
  std::optional<std::uint64_t> tohost_, fromhost_;
  std::optional<std::uint32_t> lower_;  // half, which may have an upper one
  std::uint32_t upper_ = 0;
};

}  // namespace heddle
