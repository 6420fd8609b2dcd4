// Blocks of registers as a CMSIS-SVD 1.3 device, which debuggers and code generators of other tools
// read. Arrays become clusters with `dim`; a block that appears again is `derivedFrom` the first.
//
//   RO read-only; RC the same with readAction clear; WO write-only; RW read-write; W1C and W1S the
//   same with modifiedWriteValues oneToClear and oneToSet. A register whose read acts has
//   readAction modify, so that debuggers leave it alone. A reset that the hardware decides has
//   resetMask 0. `between` and enumerations are write constraints.
//
// Limitations: no cpu element (the format knows none of RISC-V); the other rules of a register have
// no place in the format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/registers/register_description.hpp"

namespace heddle {

struct svd_interrupt {
  std::string name;         // of the peripheral's port: "irq"
  std::uint64_t value = 0;  // the number that firmware knows it by
};

struct svd_peripheral {
  std::string path;        // "gpu[0].dma"; the name is gpu_0_dma
  std::uint64_t base = 0;  // address of the block
  const register_file_description* block = nullptr;
  std::vector<svd_interrupt> interrupts{};
};

struct svd_device {
  std::string name;
  std::string description;                  // not empty
  std::vector<svd_peripheral> peripherals;  // at least one, paths differ
};

std::string svd_text(const svd_device& device);

// "gpu_0_dma" of "gpu[0].dma": letters, digits and underscores.
std::string identifier_of(const std::string& path);

}  // namespace heddle
