// Why an access took as long as it did. Nothing of it travels with the flits: the interface knows
// when its flits left, how far they go, and when the answer is here.
//
//   serialization  flits of this interface, there or back, each a cycle of the link
//   propagation    the hops there and back, and the interfaces
//   memory         the rest of a read
//   reduction      the routers' functional units, which may hold beats back
//   queueing       the rest: late beats, links that others use
//
// A reduction goes on when the last member has come: its chain is that of all. What a barrier takes
// from there on is synchronization.
#pragma once

#include "models/mesh/mesh_causes.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "models/mesh/ni/mesh_access.hpp"

namespace heddle {

class access_explanation {
 public:
  explicit access_explanation(interface_tile& tile);

  // The steps of an access that begins at this interface:
  void begin(mesh_access& access);
  void count_flit_sent() { ++flits_sent_; }           // of any write
  void sent(mesh_access& access);                     // its last flit leaves now
  void beat(mesh_access& access, cycle_t available);  // of a read, here in that cycle
  void end(mesh_access& access);

  // Of a word that has come here: who polls it, or is interrupted by it, wants to know. `asked`:
  // the access at the tile that sent it, nullptr for a reduction.
  cause of_arrival(const flit& arrived, const mesh_access* asked) const;
  bool is_explained() const { return causes_.is_explained; }
  // All parts of that reduction have come here.
  void meet(std::uint32_t transaction) {
    if (causes_.is_explained) causes_.meet(transaction);
  }

 private:
  cycle_t hops_of(const mesh_access& access) const;
  fs_t way_of(const mesh_access& access) const;
  site_id site() const { return tile_.owner.site(); }

  interface_tile& tile_;
  mesh_causes& causes_;
  std::uint64_t flits_sent_ = 0, beats_taken_ = 0;  // of writes and reads that began here
};

}  // namespace heddle
