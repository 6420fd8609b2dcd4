// RV32IMAC and RV64IMAC, one instruction at a time, written from the manual as plainly as possible
// and for nothing but to be compared with. Shares no code with the model.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::rv {

struct plain_interpreter {
  int xlen = 64;
  std::uint64_t pc = 0;
  std::array<std::int64_t, 32> x{};  // sign-extended, whatever the width
  std::uint64_t memory_base = 0;
  std::vector<unsigned char> memory;
  std::uint64_t executed = 0;
  int cause = -1;  // the exception that ended it
  std::uint64_t value = 0;
  std::int64_t reserved = -1;  // address of the reservation

  // False once an exception has happened.
  bool step();

 private:
  std::uint64_t here_ = 0;  // of the instruction under way
  bool execute(std::uint32_t word);
  std::uint32_t expanded(std::uint32_t parcel) const;
  bool stop(int exception, std::uint64_t about);
  bool holds(std::uint64_t address, unsigned bytes) const;
  std::int64_t peek(std::uint64_t address, unsigned bytes) const;  // sign-extended
  void poke(std::uint64_t address, unsigned bytes, std::int64_t from);
  std::int64_t fit(std::int64_t wide) const;
  std::uint64_t bare(std::int64_t value_of_register) const;
  bool load(std::uint32_t word);
  bool store(std::uint32_t word);
  bool atomic(std::uint32_t word);
  bool compute(std::uint32_t word, std::int64_t b, bool is_immediate);
  bool compute_word(std::uint32_t word, std::int64_t b, bool is_immediate);
  bool set(unsigned rd, std::int64_t result);
};

}  // namespace heddle::rv
