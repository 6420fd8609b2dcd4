// Where addresses go from bus to bus. Buses that lead into each other are legal as long as every
// access leaves them: a cluster's bus that takes what is not its own to the system's bus, which has
// the cluster's window. They are not when an access comes back again and again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// Addresses, both ends included.
struct address_interval {
  std::uint64_t first = 0, last = 0;
};

// A bus as far as it forwards to other buses.
class address_forwarder {
 public:
  struct way {
    address_interval addresses;   // as this bus sees them
    std::uint64_t taken_off = 0;  // of the addresses that the next bus sees
    const address_forwarder* next = nullptr;
  };
  // Without overlap.
  virtual std::vector<way> ways() const = 0;
  virtual const std::string& forwarder_name() const = 0;

 protected:
  ~address_forwarder() = default;
};

// The way of an access that passes more buses than a system has one behind the other: "a -> b -> a"
// from where it begins to repeat. "" when every access from here ends.
std::string endless_path(const address_forwarder& bus, const address_forwarder::way& from);

}  // namespace heddle
