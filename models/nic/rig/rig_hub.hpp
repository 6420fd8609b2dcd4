// What the units of one RIG block share: what software has programmed, the index filter behind the
// NIC's caches, the way to the memory of the host, and the way to the network.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/nic/rig/index_filter.hpp"
#include "models/nic/rig/nic_cache.hpp"
#include "transactors/gather/gather_format.hpp"

namespace heddle {

struct rig_settings {
  std::uint32_t node = 0, nodes = 1;
  std::uint64_t rows_per_node = 1;  // fewer than 2^32: products with nodes fit into 64 bits
  std::uint64_t property_base = 0;
  std::uint32_t length = 64;
  std::uint32_t kernel = 0;

  std::uint64_t first_row() const { return node * rows_per_node; }
  bool is_own(std::uint64_t index) const { return index - first_row() < rows_per_node; }
  // A product rather than a quotient: every index is asked for.
  bool is_valid(std::uint64_t index) const { return index < columns(); }
  std::uint64_t columns() const { return nodes * rows_per_node; }
  std::uint32_t owner_of(std::uint64_t index) const {
    return static_cast<std::uint32_t>(index / rows_per_node);
  }
};

struct rig_limits {
  fs_t cycle = 0;             // of the NIC
  std::uint32_t quantum = 1;  // cycles that a unit may lag behind simulated time
  std::uint32_t idx_bytes = 4096;
  std::uint32_t pending = 256;
  std::uint32_t lsq = 64;
  std::uint32_t property_bytes = 4096;
  std::uint32_t longest_property = UINT32_MAX;  // that fits into a packet
  std::uint32_t tx_queue = 64, rx_queue = 64;
};

class rig_hub {
 public:
  rig_settings settings;
  rig_limits limits;
  index_filter filter;

  // Whether a packet can carry properties of the length that software has set.
  bool has_length() const {
    return settings.length > 0 && settings.length <= limits.longest_property;
  }

  // Access to the memory of the host that begins at `when`, which may lie up to a quantum in the
  // past, and the instant when it is done: the data is here, or the write is acknowledged. fs_never
  // for a bus error. Bytes that are null are not carried. A read may stand for several of `each`
  // bytes; 0: it is one.
  virtual fs_t read_host(std::uint64_t address, std::byte* to, std::uint32_t bytes, fs_t when,
                         std::uint32_t each) = 0;
  virtual fs_t write_host(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                          fs_t when) = 0;
  virtual nic_cache& cache() = 0;
  virtual bool carries_data() const = 0;

  // Whether the transmit buffer of that class has room. Who was refused hears of it later.
  virtual bool may_send(bool is_response) = 0;
  // Hands a PR over at `when`; the instant when it is accepted. A response of length 0 says that
  // there is no such property here.
  virtual fs_t send(bool is_response, std::uint32_t node, const property_request& pr,
                    const std::byte* bytes, std::uint32_t length, fs_t when) = 0;

  // The instant at which to handle what is due at `when`: several together once a quantum.
  fs_t rounded(fs_t when) const {
    const fs_t grid = limits.quantum * limits.cycle;
    return limits.quantum == 1 ? when : (when + grid - 1) / grid * grid;
  }

 protected:
  ~rig_hub() = default;
};

}  // namespace heddle
