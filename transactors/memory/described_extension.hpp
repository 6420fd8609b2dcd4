// Ignorable. The bytes of the access do not lie in the memory that it goes to: somebody in front of
// that memory describes them. The memory takes its time, moves nothing, and keeps no record of what
// was written.
#pragma once

#include <tlm>

namespace heddle {

struct described_extension : tlm::tlm_extension<described_extension> {
  tlm::tlm_extension_base* clone() const override { return new described_extension(*this); }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

}  // namespace heddle
