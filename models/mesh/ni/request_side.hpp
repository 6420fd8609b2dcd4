// The accesses that begin at this tile, from the cycle in which they are given to the links until
// their response is here: words (8 B or less, atomics included) on the narrow links, bursts on the
// wide one, beat by beat where the initiator streams (beat_stream.hpp). They leave in order, while
// the transactions under way are few enough.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "models/mesh/axi_channel.hpp"
#include "models/mesh/ni/access_explanation.hpp"
#include "models/mesh/ni/interface_links.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "models/mesh/ni/mesh_access.hpp"
#include "models/mesh/ni/target_side.hpp"

namespace heddle {

class request_side {
 public:
  static constexpr cycle_t never = beat_stream::never;

  // Whoever began an access hears when its response is on the socket's side.
  class client {
   public:
    virtual void access_ends(mesh_access& done) = 0;

   protected:
    ~client() = default;
  };

  // All must outlive it. `own`: takes this tile's copy of its own multicasts, where the router does
  // not bring it back.
  request_side(interface_tile& tile, interface_links& links, access_explanation& why,
               target_side& own, std::size_t most_words, std::size_t most_bursts);

  void tell(client& by) { client_ = &by; }
  void begin(mesh_access& access, fs_t when);

  // Parts of a cycle, in this order.
  void finish_due(cycle_t now);
  void take_response(const flit& arrived, cycle_t now);  // B
  void take_beat(const flit& arrived, cycle_t now);      // R
  void issue(cycle_t now);
  void wake_for_finished(cycle_t now);

  // The cycle of the next flit of the oldest burst that is being written. A stream that does not
  // know it yet wakes the interface later.
  cycle_t next_write();
  bool is_write_begun() const { return !writes_.empty() && writes_.front()->sent > 0; }
  void send_beat(cycle_t now);  // that flit

  // The oldest access of that transaction; members of a reduction know it by its tag. nullptr:
  // none.
  mesh_access* find(std::uint32_t transaction) const;
  bool has_writes() const { return !writes_.empty(); }
  bool is_waiting() const { return !words_.empty() || !bursts_.empty(); }
  std::size_t bursts() const { return bursts_.size(); }  // without response
  std::string waiting_for() const;

 private:
  void launch(mesh_access& access, cycle_t now);
  flit address_flit(const mesh_access& access, axi_channel channel);
  flit data_flit(mesh_access& access, cycle_t now);
  void send_word(mesh_access& access, cycle_t due);
  bool keep_copy(const flit& sent, interface_link on);
  static std::uint32_t beat_bytes(const mesh_access& access, std::uint32_t beat);
  payload_handle next_beat(mesh_access& access, cycle_t now);
  mesh_access* asked_for(const flit& answer);
  void put_beat(mesh_access& access, const flit& arrived, cycle_t available);
  void finish(mesh_access& done);

  interface_tile& tile_;
  interface_links& links_;
  access_explanation& why_;
  target_side& own_;
  const std::size_t most_words_, most_bursts_;
  client* client_ = nullptr;

  std::deque<mesh_access*> pending_words_, pending_bursts_;  // not issued yet
  std::vector<mesh_access*> words_, bursts_;                 // without response, oldest first
  std::deque<mesh_access*> writes_;                          // bursts whose beats still leave
  std::deque<std::pair<cycle_t, mesh_access*>> finished_;    // responses on their way to the socket
};

}  // namespace heddle
