// How far the figures of a claim move with what its source leaves open: each free parameter of its
// netlists a fifth below and above its value, one at a time.
#pragma once

#include <string>
#include <vector>

#include "platform/claims/claim_runs.hpp"
#include "platform/claims/claim_verdict.hpp"

namespace heddle {

struct parameter_sensitivity {
  std::string netlist, key;
  std::string value;         // in the effective configuration
  std::string from;          // where that comes from
  std::string lower, upper;  // what was set instead; "" where a fifth changes nothing
  // Relative change of the claim's figures, that of the row that moves most; its name in `row`.
  double at_lower = 0, at_upper = 0;
  std::string row;
};

// Of the free parameters of the netlists that the claim runs. All its figures are known already.
// Throws user_error where a netlist has no such parameter.
std::vector<parameter_sensitivity> sensitivities_of(const claim_verdict& verdict,
                                                    const std::vector<free_parameter>& free,
                                                    claim_runs& runs);
// Lets the runs that this needs begin, and does not wait for them. Throws likewise.
void begin_sensitivities(const claim_verdict& verdict, const std::vector<free_parameter>& free,
                         claim_runs& runs);

// "20 ns" times 1.2 is "24 ns", 16 times 0.8 is 13; "" for what is no quantity, or stays the same.
std::string scaled_quantity(const std::string& text, double factor);

}  // namespace heddle
