// Which memories an address of a multicast region stands for: offset x of the region is offset x
// of every member (CUDA calls the region a multicast object).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "transactors/arbitration/port_set.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

struct multicast_member {
  std::uint64_t base = 0;   // of its memory
  std::uint64_t bytes = 0;  // that somebody serves from there on
  endpoint_id endpoint = 0;
  int port = -1;  // of the switch, towards it; -1: nobody is there
};

class multicast_region {
 public:
  // Of up to so many members.
  multicast_region(std::uint64_t base, std::uint64_t mapped_bytes, int members)
      : base_(base), mapped_bytes_(mapped_bytes), present_(members) {}

  void add_member(std::uint64_t base, bool is_present) {
    if (is_present) present_.insert(static_cast<int>(members_.size()));
    members_.push_back({base});
  }
  // Who serves the members, and through which port of `at` they are reached.
  void resolve(fabric& net, const unit& at);

  const std::vector<multicast_member>& members() const { return members_; }
  const port_set& present() const { return present_; }  // that take part
  // -1 for an endpoint that is no member.
  int member_of(endpoint_id endpoint) const { return member_of_[endpoint]; }
  std::uint64_t offset(const packet& request) const { return request.address - base_; }

  bool accepts(const packet& request) const;
  // Why it does not, for people.
  std::string refusal(const packet& request) const;

 private:
  bool is_mapped(const packet& request) const;
  static bool is_reducible(const packet& request);
  static std::uint32_t element_bytes(const packet& request);
  bool serves(const multicast_member& member, const packet& request) const;

  const std::uint64_t base_, mapped_bytes_;
  std::vector<multicast_member> members_;
  port_set present_;
  std::vector<int> member_of_;  // by endpoint
};

}  // namespace heddle
