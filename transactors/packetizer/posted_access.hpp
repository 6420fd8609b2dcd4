// A write or atomic of one word whose initiator does not wait: the packetizer works on a copy.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <tlm>
#include <vector>

#include "transactors/memory/access.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

struct posted_access {
  tlm::tlm_generic_payload payload;
  atomic_extension atomic;
  std::array<unsigned char, 8> data{};
  posted_issuer* issuer = nullptr;
  posted_access* next = nullptr;

  static bool fits(const tlm::tlm_generic_payload& original) {
    return !original.is_read() && original.get_data_length() <= sizeof data;
  }
  void copy(const tlm::tlm_generic_payload& original) {
    std::memcpy(data.data(), original.get_data_ptr(), original.get_data_length());
    set_access(payload, original.get_command(), original.get_address(), data.data(),
               original.get_data_length());
    const auto* asked = original.get_extension<atomic_extension>();
    if (!asked) return;
    atomic.copy_from(*asked);
    payload.set_extension(&atomic);
  }
};

class posted_access_pool {
 public:
  ~posted_access_pool() {
    for (const auto& each : all_) each->payload.clear_extension(&each->atomic);  // not its own
  }
  posted_access& take() {
    if (!free_) return *all_.emplace_back(std::make_unique<posted_access>());
    posted_access& taken = *free_;
    free_ = taken.next;
    return taken;
  }
  void give_back(posted_access& used) {
    used.payload.clear_extension(&used.atomic);
    used.next = free_;
    free_ = &used;
  }

 private:
  std::vector<std::unique_ptr<posted_access>> all_;
  posted_access* free_ = nullptr;
};

}  // namespace heddle
