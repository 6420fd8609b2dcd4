// The accesses of other tiles to this one: performed on the socket `out`, at their own address or,
// of a multicast, at this tile's, and answered over the links. A multicast write is answered by one
// B, merged on its way (CollectB); the B of a reduction goes to all members.
//
// Every flit is a packet of its own and is put together by source and tag, so bursts of several
// transactions alternate on a link and none holds it while its data is late.
//
// A target on `out` that does not answer in the call gets the next beat of a read when it has
// answered; writes wait in order.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/mesh/axi_channel.hpp"
#include "models/mesh/ni/access_explanation.hpp"
#include "models/mesh/ni/interface_links.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "platform/pool/object_pool.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/memory_requester.hpp"

namespace heddle {

class target_side {
 public:
  // The access that another tile has under way with that transaction; nullptr: none.
  using access_finder =
      std::function<const mesh_access*(mesh_position source, std::uint32_t transaction)>;

  // Makes the port `out`. All must outlive it.
  target_side(interface_tile& tile, interface_links& links, access_explanation& why,
              access_finder find);

  void take(const flit& arrived, interface_link on);  // AR, AW or W
  void evaluate();                                    // reads a beat, if any is due
  void link_has_room(cycle_t now);                    // the wide one, for a beat
  unsigned debug_access(tlm::tlm_generic_payload& payload) { return out_->transport_dbg(payload); }

  bool is_idle() const { return writes_.empty() && reads_.empty(); }
  std::string waiting_for() const;

 private:
  struct inbound_write {
    flit address;  // of the AW
    std::uint64_t local_address = 0;
    std::uint32_t bytes = 0, begun = 0, done = 0;
    std::uint64_t answer = axi_okay;
  };
  struct outbound_read {
    flit beat;  // all but the payload
    std::uint64_t address = 0;
    std::uint32_t bytes = 0, done = 0;
  };

  void begin_read(const flit& arrived, const axi_header& header);
  void begin_write(const flit& arrived, const axi_header& header);
  void perform_atomic(const flit& arrived, const axi_header& header);
  void write_beat(const flit& arrived, interface_link on);
  void read_beat();

  // What an access on `out` is of.
  enum class part : std::uint8_t { word_read, beat_read, atomic, write };
  struct performed_part {
    part of = part::word_read;
    flit answer;                     // of a read or an atomic
    inbound_write* write = nullptr;  // otherwise
    payload_handle written = 0;
    bool is_counted = false;
  };
  using requester = memory_requester<performed_part>;
  requester::access& aim(part of, tlm::tlm_command command, std::uint64_t address, void* data,
                         std::uint32_t bytes);
  void perform(requester::access& access);
  void performed(requester::access& over, fs_t delay);
  void end_beat_read(requester::access& over, fs_t done, cycle_t now);
  void end_write(requester::access& over, fs_t done, cycle_t now);
  static std::uint64_t status(const requester::access& over);
  cause why_of(const flit& arrived) const;
  void answer_at(fs_t done, interface_link on, const flit& answer, cycle_t now);
  void answer_write(const inbound_write& done, fs_t when);

  interface_tile& tile_;
  interface_links& links_;
  access_explanation& why_;
  const access_finder find_;
  requester out_;
  memory_initiator_port port_;
  object_pool<inbound_write> write_pool_;
  std::vector<inbound_write*> writes_;
  std::deque<outbound_read> reads_;  // of bursts
  bool is_reading_ = false;          // a beat of the oldest of them
  // What payloads point to that carry time alone.
  std::array<unsigned char, flit_payload_bytes> no_data_{};
};

}  // namespace heddle
