// Payloads of flits: reference-counted blocks of 64 bytes, a 512-bit beat. Multicast shares a
// block; nobody writes into one that is shared. One pool a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "transactors/flit/flit.hpp"

namespace heddle {

class flit_payloads {
 public:
  struct alignas(64) block {
    union {
      std::array<double, 8> lanes;
      std::array<std::uint64_t, 8> words;
      std::array<std::byte, flit_payload_bytes> bytes;
    };
  };

  payload_handle take();  // contents are undefined
  void share(payload_handle used, std::uint32_t more) {
    if (used) references_[used - 1] += more;
  }
  void give_back(payload_handle used) {
    if (used && --references_[used - 1] == 0) free_.push_back(used);
  }

  block& at(payload_handle used) { return blocks_[used - 1]; }
  std::size_t in_use() const { return blocks_.size() - free_.size(); }

 private:
  std::deque<block> blocks_;  // never move
  std::vector<std::uint32_t> references_;
  std::vector<payload_handle> free_;
};

inline payload_handle flit_payloads::take() {
  if (free_.empty()) {
    blocks_.emplace_back();
    references_.push_back(1);
    return static_cast<payload_handle>(blocks_.size());
  }
  const payload_handle taken = free_.back();
  free_.pop_back();
  references_[taken - 1] = 1;
  return taken;
}

}  // namespace heddle
