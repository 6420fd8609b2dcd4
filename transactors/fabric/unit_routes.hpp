// The routes of one unit: where a packet goes next, in one or two look-ups where there is one way.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "transactors/fabric/route_book.hpp"
#include "transactors/packet/packet.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {

class unit;

struct route_hop {
  int port;         // index of the output
  std::uint8_t vc;  // virtual channel on the link behind it
};

// How much waits for an output, in packets: for adaptive routes.
class output_loads {
 public:
  virtual std::uint64_t load_of(int port) const = 0;

 protected:
  ~output_loads() = default;
};

class alignas(64) unit_routes {
 public:
  // Virtual channels of a port. In each message class, channels of a phase follow each other.
  struct channels {
    vc_partition classes{2};
    std::uint8_t of_phase = 1;
  };
  struct contents {
    std::shared_ptr<const std::vector<std::uint32_t>> row;  // by group
    std::vector<std::uint32_t> local;
    std::vector<channels> ports;  // by index; empty where packets keep their channels
    std::uint32_t salt = 0;       // of the hash by which flows spread
  };

  // The book has all endpoints, and outlives the table.
  unit_routes(const unit& owner, const route_book& book, contents all)
      : where_(book.where.data()),
        row_(all.row->data()),
        local_(all.local.data()),
        book_(book),
        keeps_channels_(all.ports.empty()),
        owner_(owner),
        all_(std::move(all)) {}
  unit_routes(const unit_routes&) = delete;
  unit_routes& operator=(const unit_routes&) = delete;

  bool reaches(endpoint_id to) const { return entry_to(to) != route_entry::nowhere; }
  // Where nothing leads to the packet's destination, the run ends with a user_error.
  route_hop next(const packet& p) {
    std::uint32_t entry = entry_to(p.destination);
    if (!(entry & route_entry::is_single)) entry = choose(p, entry);
    return {route_entry::port_of(entry), keeps_channels_ ? p.vc : channel_of(p, entry)};
  }
  // Every hop that packets like this one may take, whatever the key by which they are spread.
  std::vector<route_hop> every_next(const packet& p) const;
  // Sources spread blocks of addresses themselves: the output for the n-th of them, -1 for none.
  int port_for(endpoint_id to, std::uint64_t turn) const;

  // Whether the way of a packet for that destination does not depend on its address.
  bool ignores_address(endpoint_id to) const {
    return book_.spread != spread_key::address && (entry_to(to) & route_entry::is_single) != 0;
  }

  // The ports of equal ways among which packets choose here, in ascending order, each choice once.
  std::vector<std::vector<int>> choices() const;

  // Adaptive routes look at these loads, which must outlive the table.
  void measure(const output_loads& loads) { loads_ = &loads; }

 private:
  std::uint32_t entry_to(endpoint_id to) const {
    const destination d = where_[to];
    const std::uint32_t entry = row_[d.group];
    if (!(entry & route_entry::is_local)) return entry;
    return local_[route_entry::index_of(entry) + d.member];
  }
  std::uint32_t choose(const packet& p, std::uint32_t entry);
  std::uint32_t refuse(const packet& p) const;
  std::uint64_t key_of(const packet& p, const way_list& ways);
  std::uint32_t least_loaded(const way_list& ways);
  std::uint8_t channel_of(const packet& p, std::uint32_t entry) const;

  const destination* where_;  // by endpoint
  const std::uint32_t* row_;  // by group
  const std::uint32_t* local_;
  const route_book& book_;
  const bool keeps_channels_;
  std::uint64_t turn_ = 0;  // of packets that are sprayed
  const output_loads* loads_ = nullptr;
  const unit& owner_;
  const contents all_;
};

}  // namespace heddle
