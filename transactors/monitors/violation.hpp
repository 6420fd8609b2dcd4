// A broken protocol rule is a bug of a model: it fails the run with a text that names the object,
// the time and the transaction.
#pragma once

#include <string>
#include <tlm>

#include "transactors/packet/packet.hpp"

namespace heddle {

class simulation;

// "gpu[0].ni.port[1] -> nvs[1].port[0]: protocol violation at 12.5 us: TRANSACTION: RULE"
void report_violation(simulation& sim, const std::string& object, const std::string& transaction,
                      const std::string& rule);

// "write of 64 B at 0x1000"
std::string describe(const tlm::tlm_generic_payload& payload);
// "write_request with tag 3 from endpoint 0 to endpoint 1, 144 B on vc 0"
std::string describe(const packet& p);

}  // namespace heddle
