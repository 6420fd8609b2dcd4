// Extension of the generic payload, ignorable.
#pragma once

#include <string>
#include <tlm>

namespace heddle {

// Ignorable, on debug transport alone: whoever serves the address says what lies there, such as
// "gpu[0].dma channel[3].doorbell". For messages.
struct address_name_extension : tlm::tlm_extension<address_name_extension> {
  std::string name;

  tlm::tlm_extension_base* clone() const override { return new address_name_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const address_name_extension&>(other);
  }
};

}  // namespace heddle
