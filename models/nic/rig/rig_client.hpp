// RIG unit as a client (NetSparse 5.1-5.3, Fig 5): reads a list of indices from the memory of the
// host, drops those whose property is there or on its way, requests the others, and writes what
// comes into the memory of the host.
//
//   idx buffer -> one index a cycle -> load of the filter bit (LSQ) -> in order: filtered,
//   coalesced, or a PR in the pending table -> transmit queue
//   response -> property buffer -> write to the host -> acknowledged: filter bit, then the entry
//
// The unit lags behind simulated time by up to a quantum of cycles and then catches up cycle by
// cycle, so that an index costs no event; with a quantum of 1 every step happens in its cycle. It
// also catches up whenever packets of its NIC expire, so that its requests are in them.
//
// Limitations: within a quantum the unit sees filter and pending table as they are at its end, and
// reads up to 256 B of its list at once, which counts as reads of 64 B and begins as early as the
// first of them would have. On 128 nodes a quantum of 64 lengthens gathers of 25 to 90 us by 0 to
// 0.5 %, and shorter ones by up to 1 %, because a request that misses a packet waits for the next
// one. A larger quantum costs more, whatever the length of a list: a unit begins a step up to a
// quantum late, and properties that were read or written are handled at multiples of a quantum, so
// a request may take three quanta longer. The cache state for setting a bit is that of the instant
// at which the property is written.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/nic/rig/pending_table.hpp"
#include "models/nic/rig/rig_hub.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

struct rig_command {
  std::uint64_t indices = 0, destination = 0;
  std::uint32_t count = 0;
  std::uint32_t index_bytes = 4;
  bool filters = true, coalesces = true;
  fs_t watchdog = 0;  // 0: none
};

struct rig_client_counts {
  std::uint64_t local = 0, filtered = 0, coalesced = 0, issued = 0, responses = 0;
  std::uint64_t stall_lsq = 0, stall_pending = 0, stall_tx = 0;  // cycles
};

// Where the time of a unit went, from the first doorbell on: all of it but what it was idle.
struct rig_client_times {
  fs_t scan = 0;       // an index a cycle
  fs_t indices = 0;    // none were here
  fs_t filter = 0;     // LSQ full of loads of the filter
  fs_t pending = 0;    // LSQ full behind a full table of pending requests
  fs_t transmit = 0;   // LSQ full behind the transmit queue or buffer
  fs_t responses = 0;  // the last index is in the LSQ, properties are not all written
  fs_t last_end = 0;   // instant at which the latest command ended

  fs_t busy() const { return scan + indices + filter + pending + transmit + responses; }
};

enum class rig_failure { none, timeout, bad_index, bus, length };

class rig_client {
 public:
  class listener {
   public:
    virtual void completed(int unit) = 0;
    virtual void failed(int unit, rig_failure why) = 0;
    // A property is on its way into the memory of the host: written() at that instant.
    virtual void writes(int unit, std::uint32_t slot, std::uint32_t epoch, std::uint64_t index,
                        fs_t until) = 0;

   protected:
    ~listener() = default;
  };

  rig_client(listener& owner, rig_hub& hub, int number, int pair);
  rig_client(const rig_client&) = delete;
  rig_client& operator=(const rig_client&) = delete;

  void start(const rig_command& command);
  void abandon();  // what comes for it later belongs to nobody
  bool is_running() const { return is_running_; }
  bool waits_for_transmit_buffer() const { return stall_ == stall::transmit_buffer; }

  void end_wait_for_transmit_buffer();
  // A response; false while neither property buffer nor receive queue has room.
  bool take(const property_request& pr, const payload_slice& bytes, std::uint32_t length,
            fs_t when);
  void written(std::uint32_t slot, std::uint32_t epoch, std::uint64_t index, fs_t when);
  // The processor may fetch what take() and written() read.
  void prefetch(const property_request& pr) const;
  void prefetch(std::uint32_t slot, std::uint64_t index) const { table_.prefetch(slot, index); }
  void run();

  const rig_client_counts& counts() const { return counts_; }  // of the last command
  const rig_client_times& times() const { return times_; }     // of all commands
  std::uint64_t orphans() const { return orphans_; }
  const rig_command& command() const { return command_; }  // the last one
  std::uint32_t pending() const { return table_.size(); }

 private:
  // Why the oldest answer of the filter waits.
  enum class stall { none, pending, transmit_queue, transmit_buffer };

  struct piece {  // of the index list
    fs_t ready;
    std::uint32_t count;
  };
  struct answer {  // of the filter
    std::uint64_t index;
    fs_t ready;
  };
  struct response {
    property_request pr;
    payload_slice bytes;
    std::uint32_t length;
  };

  static constexpr std::uint32_t fetch_unit = 64, longest_fetch = 512;

  void fetch(fs_t when);
  bool read_piece(std::uint32_t bytes, std::uint32_t each, fs_t when);
  std::uint64_t index_at(std::uint32_t first_byte) const;
  std::uint64_t pop_index();
  void prefetch_ahead() const;
  fs_t next_issue() const;
  fs_t next_answer() const;
  void issue(fs_t now);
  void ask_filter(std::uint64_t index, fs_t when);
  bool resolve(fs_t when);
  bool request(std::uint64_t index, fs_t when);
  void end_full_lsq(stall behind, fs_t when);
  void stall_for(stall why, fs_t since, fs_t until);
  void end_stall(fs_t when);
  void note_full_lsq(stall behind, fs_t since, fs_t until);
  void note_end();
  void free_transmit_slot(fs_t accepted);
  void write(const property_request& pr, const std::byte* bytes, std::uint32_t length, fs_t when);
  void fail(rig_failure why);
  void finish_if_done();
  void expire();
  std::uint32_t id_of(std::uint32_t slot) const;

  listener& owner_;
  rig_hub& hub_;
  const int number_, pair_;
  const fs_t cycle_, lag_;

  rig_command command_;
  rig_client_counts counts_;
  rig_client_times times_;
  fs_t accounted_ = 0;  // times_ say where the time went until then
  std::uint64_t orphans_ = 0;
  std::uint32_t epoch_ = 0;
  bool is_running_ = false;

  // Idx buffer: a ring of indices as they lie in memory, some of which are still on their way.
  std::vector<std::byte> ring_;
  std::uint32_t first_byte_ = 0, buffered_ = 0;  // indices
  std::deque<piece> pieces_;
  std::uint32_t fetched_ = 0;  // of the command
  fs_t issues_at_ = 0;         // the pipeline takes the next index then

  std::vector<answer> lsq_;  // a ring
  std::uint32_t first_answer_ = 0, loads_ = 0;
  fs_t last_answer_ = 0;
  fs_t lsq_full_since_ = fs_never;

  pending_table table_;
  stall stall_ = stall::none;
  fs_t stalled_since_ = 0, stalled_until_ = 0;
  std::vector<fs_t> transmitted_;  // a ring: when the latest PRs were accepted
  std::uint32_t next_transmitted_ = 0;

  std::uint32_t writing_ = 0;  // properties in the property buffer
  std::deque<response> received_;

  timed_call wake_, watchdog_;
  fs_t expires_at_ = fs_never;
};

}  // namespace heddle
