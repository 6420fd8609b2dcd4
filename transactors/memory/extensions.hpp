// Extensions of the generic payload.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "transactors/packet/payload.hpp"

namespace heddle {

// Ignorable. Marks a bulk transfer: its bytes also lie in a shared slice, so that nobody has to
// copy them, or are not carried at all (`data: off`). A target that ignores it sees a valid data
// pointer all the same.
struct bulk_extension : tlm::tlm_extension<bulk_extension> {
  payload_slice slice;
  bool is_carried = true;

  tlm::tlm_extension_base* clone() const override { return new bulk_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const bulk_extension&>(other);
  }
};

// Not ignorable, so it goes with TLM_IGNORE_COMMAND: the target adds `operand` to the 64-bit word
// and returns what was there in the data array (8 bytes).
struct atomic_add_extension : tlm::tlm_extension<atomic_add_extension> {
  std::uint64_t operand = 0;

  tlm::tlm_extension_base* clone() const override { return new atomic_add_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const atomic_add_extension&>(other);
  }
};

}  // namespace heddle
