// The ledger: every claim with its source, ours, the error, what brings it about, and how far it
// moves with what the source leaves open.
#pragma once

#include <vector>

#include "platform/claims/sensitivity.hpp"
#include "platform/report/text_document.hpp"

namespace heddle {

struct ledger_entry {
  claim_verdict verdict;
  std::vector<parameter_sensitivity> sensitivities;
};

text_document ledger_of(const std::vector<ledger_entry>& entries);

}  // namespace heddle
