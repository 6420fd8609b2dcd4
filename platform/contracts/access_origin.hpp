// Who makes an access, and from where in its program: what a report on the access names.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "platform/time/fs_time.hpp"

namespace heddle {

class register_file;
struct register_cell;

// An instruction; also who called it where the function it lies in says little.
struct code_point {
  std::uint64_t address = 0;  // 0: unknown
  std::uint64_t caller = 0;   // 0: not wanted
};

struct code_line {
  std::string function, file;  // "" where unknown
  int line = 0;

  // "sw/drivers/dma.c:57 in dma_open", as far as it is known.
  std::string text() const;
};

class access_initiator {
 public:
  virtual const std::string& initiator_path() const = 0;
  virtual code_line line_at(const code_point& point) const = 0;

 protected:
  ~access_initiator() = default;
};

// Ignorable. Contracts bind whoever sends it along: firmware. Other initiators are hardware.
struct access_origin : tlm::tlm_extension<access_origin> {
  access_initiator* initiator = nullptr;
  code_point at;
  // Stores to memory that no fence has followed yet.
  std::uint64_t unfenced_stores = 0;
  code_point first_unfenced;
  // The answer: the registers that were accessed, nullptr for memory.
  const register_file* device = nullptr;
  const register_cell* cell = nullptr;  // nullptr where there is no register
  std::uint64_t offset = 0;             // in the block
  fs_t time = 0;                        // when the access reached it

  // A core calls these before and after each of its accesses.
  void start(const code_point& from) {
    at = from;
    device = nullptr;
    cell = nullptr;
  }
  void end_store() {
    if (device != nullptr) return;
    if (unfenced_stores++ == 0) first_unfenced = at;
  }

  tlm::tlm_extension_base* clone() const override { return new access_origin(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const access_origin&>(other);
  }
};

}  // namespace heddle
