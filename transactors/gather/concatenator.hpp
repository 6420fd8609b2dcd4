// Concatenator (NetSparse 6.1.2, Fig 7): property requests for one destination wait for each other,
// at most `delay` cycles, and share a packet. There is a queue for each destination and type; a
// queue is emitted when no further PR fits into the MTU, or when its oldest PR has waited for the
// delay. All deadlines lie equally far ahead, so they form one queue in order.
//
// One PR is accepted in a cycle, and 64 B leave in a cycle (the source is silent about both). A PR
// that is accepted exactly at a deadline finds the queue emitted.
//
// With a pool (NetSparse 7.2) the queues share physical queues of 128 B, chained on demand; when
// none is free, the queue that waits longest is emitted.
//
// Callers may push what happened up to a quantum ago: the deadline counts from the instant given.
//
// Limitations: entries that were cleared cost no cycle when they reach the head.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "platform/time/timed_queue.hpp"
#include "transactors/gather/gather_format.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

// Where a PR goes. PRs of the same queue agree in everything.
struct gather_flow {
  std::uint32_t queue = 0;  // below concatenator_settings::queues
  std::uint32_t node = 0;   // destination
  packet_kind kind = packet_kind::none;
  std::uint16_t source = 0, destination = 0;  // endpoints
  std::uint16_t port = 0;                     // handed back with the packet
  std::uint8_t vc = 0;
};

struct concatenator_settings {
  fs_t cycle = 0;
  std::uint64_t delay = 0;  // cycles
  std::uint32_t mtu = gather_format::default_mtu;
  std::uint32_t queues = 0;
  std::uint32_t pool = 0;  // physical queues; 0: each queue holds an MTU
  bool is_enabled = true;  // else every PR leaves alone, in the lone format
};

class concatenator {
 public:
  class listener {
   public:
    virtual void emitted(packet& p, std::uint16_t port) = 0;
    // Called before queues expire: the listener pushes what was there before and is not pushed yet.
    virtual void before_expiry() {}

   protected:
    ~listener() = default;
  };

  // Throws user_error, in the name of the unit at `path`, where the pool does not hold the longest
  // PR of a packet.
  static void check(const concatenator_settings& settings, const std::string& path);

  concatenator(listener& owner, const concatenator_settings& settings);
  concatenator(const concatenator&) = delete;
  concatenator& operator=(const concatenator&) = delete;

  // Called while the concatenator is empty.
  void set_queues(std::uint32_t count) { queues_.resize(count); }
  void set(bool is_enabled, std::uint64_t delay);
  const concatenator_settings& settings() const { return settings_; }

  // Accepts a PR that is there at `when`, or as soon as the one before it has been accepted, and
  // returns that instant. `length` is that of a property; `bytes` may be null. The PR must fit into
  // a packet, and into the pool: throws std::logic_error.
  fs_t push(const gather_flow& flow, const property_request& pr, const std::byte* bytes,
            std::uint32_t length, fs_t when);

  bool empty() const { return open_ == 0 && leaving_.empty(); }

 private:
  static constexpr std::uint32_t physical_bytes = 128;  // of a queue in the pool
  static constexpr std::uint32_t bytes_a_cycle = 64;

  struct queue {
    packet* filling = nullptr;
    std::uint32_t used = 0;      // bytes of the payload slice
    std::uint32_t bytes = 0;     // on the wire
    std::uint32_t count = 0;     // of PRs
    std::uint32_t physical = 0;  // queues of the pool
    std::uint32_t length = 0;
    std::uint16_t port = 0;
    std::uint64_t entry = 0;  // number of its deadline
    fs_t deadline = 0;
  };
  struct deadline {
    fs_t expires;
    std::uint32_t queue;
    bool is_cleared;
  };
  struct departure {
    packet* p = nullptr;
    std::uint16_t port = 0;
  };

  // Bytes of the longest PR that fits into a packet.
  static std::uint32_t longest_request(const concatenator_settings& settings) {
    return gather_format::longest_property(settings.mtu) + gather_format::request_bytes;
  }
  static std::uint32_t physical_for(std::uint32_t bytes) {
    return (bytes + physical_bytes - 1) / physical_bytes;
  }
  bool fits(std::uint32_t each) const {
    return each <= longest_request(settings_) &&
           (settings_.pool == 0 || physical_for(each) <= settings_.pool);
  }
  packet& begin(const gather_flow& flow, bool has_data, std::uint32_t capacity) const;
  void send_alone(const gather_flow& flow, const property_request& pr, const std::byte* bytes,
                  std::uint32_t length, fs_t when);
  void open(queue& opened, const gather_flow& flow, bool has_data, std::uint32_t length, fs_t when);
  void append(queue& to, const property_request& pr, const std::byte* bytes, std::uint32_t length,
              std::uint32_t each);
  bool take_physical(queue& wanting, std::uint32_t more, fs_t when);
  void emit(queue& full, fs_t when);
  void emit_oldest(fs_t when);
  void leave(packet& p, std::uint16_t port, fs_t when);
  void expire();
  void hand_over();
  void drop_cleared();

  listener& owner_;
  concatenator_settings settings_;
  std::vector<queue> queues_;
  std::deque<deadline> deadlines_;  // in the order of time
  std::uint64_t first_entry_ = 0;   // number of the first of them
  std::uint32_t open_ = 0;
  std::uint32_t free_physical_ = 0;
  fs_t accepts_at_ = 0, emits_at_ = 0;
  timed_call expiry_;
  timed_queue<departure> leaving_;
};

}  // namespace heddle
