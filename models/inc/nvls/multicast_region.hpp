// Which memories an address of a multicast region stands for: offset x of the region is offset x
// of every member (CUDA calls the region a multicast object).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  multicast_region(std::uint64_t base, std::uint64_t mapped_bytes)
      : base_(base), mapped_bytes_(mapped_bytes) {}

  void add_member(std::uint64_t base, bool is_present) {
    if (is_present) present_ |= std::uint64_t{1} << members_.size();
    members_.push_back({base});
  }
  // Who serves the members, and through which port of `at` they are reached.
  void resolve(fabric& net, const unit& at);

  const std::vector<multicast_member>& members() const { return members_; }
  std::uint64_t present() const { return present_; }  // bit mask
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
  std::uint64_t present_ = 0;
  std::vector<int> member_of_;  // by endpoint
};

}  // namespace heddle
