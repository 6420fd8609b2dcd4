// A write or atomic of one word whose initiator does not wait: the packetizer works on a copy.
#pragma once

#include <array>
#include <cstring>
#include <tlm>

#include "platform/contracts/access_origin.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

struct posted_access {
  tlm::tlm_generic_payload payload;
  atomic_extension atomic;
  access_origin origin;
  std::array<unsigned char, 8> data{};
  posted_issuer* issuer = nullptr;

  posted_access() = default;
  posted_access(const posted_access&) = delete;
  posted_access& operator=(const posted_access&) = delete;
  ~posted_access() { clear(); }
  void clear() {  // of extensions, which the payload must not free
    payload.clear_extension(&atomic);
    payload.clear_extension(&origin);
  }

  static bool fits(const tlm::tlm_generic_payload& original) {
    return !original.is_read() && original.get_data_length() <= sizeof data;
  }
  void copy(const tlm::tlm_generic_payload& original) {
    std::memcpy(data.data(), original.get_data_ptr(), original.get_data_length());
    set_access(payload, original.get_command(), original.get_address(), data.data(),
               original.get_data_length());
    if (const auto* asked = original.get_extension<atomic_extension>()) {
      atomic.copy_from(*asked);
      payload.set_extension(&atomic);
    }
    if (const auto* from = original.get_extension<access_origin>()) {
      origin.copy_from(*from);
      payload.set_extension(&origin);
    }
  }
};

}  // namespace heddle
