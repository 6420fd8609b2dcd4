// What happens when firmware breaks the contract of a register: set by the netlist.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

enum class contract_severity : std::uint8_t {
  log,    // the exit code stays; what hardware cannot perform is ignored
  error,  // the run fails at its end; what hardware cannot perform is a bus error
  fatal   // the run ends there
};

struct contract_settings {
  contract_severity usual = contract_severity::error;
  std::vector<std::pair<std::string, contract_severity>> units;  // by glob; the last match counts

  contract_severity of(const std::string& unit_path) const;
};

}  // namespace heddle
