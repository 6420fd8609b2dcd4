// What happens when firmware breaks the contract of a register: set by the netlist.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

enum class contract_severity : std::uint8_t {
  log,    // a warning: the access is performed, or ignored where it cannot be
  error,  // the access is refused with a TLM error response
  fatal   // the run fails
};

struct contract_settings {
  contract_severity usual = contract_severity::error;
  std::vector<std::pair<std::string, contract_severity>> units;  // by glob; the last match counts

  contract_severity of(const std::string& unit_path) const;
};

}  // namespace heddle
