// Extension of the generic payload, ignorable: on debug transport alone, which shadow watches the
// address? Components that do not know of it leave the answer as it is: nobody watches.
#pragma once

#include <cstdint>
#include <tlm>

namespace heddle {

class buffer_shadow;

struct buffer_question : tlm::tlm_extension<buffer_question> {
  buffer_shadow* shadow = nullptr;
  std::uint64_t offset = 0;  // in the memory

  tlm::tlm_extension_base* clone() const override { return new buffer_question(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const buffer_question&>(other);
  }
};

}  // namespace heddle
