// Accesses that the packetizer has accepted, and the tags by which responses find them again.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "platform/explain/cause.hpp"

namespace heddle {

struct posted_access;

// One memory-plane access on its way over the fabric. What a packet and its response touch is in
// the first line of the cache: between the two come many others.
struct alignas(64) fabric_access {
  fabric_access* next = nullptr;
  tlm::tlm_generic_payload* payload = nullptr;
  std::uint32_t issued = 0, unissued = 0;                 // bytes
  std::uint32_t in_flight = 0;                            // packet objects without response
  std::uint16_t destination = 0;                          // endpoint that answers for all of it
  bool waits_for_tags = false;                            // if it waits; else for room in a queue
  tlm::tlm_response_status error = tlm::TLM_OK_RESPONSE;  // of a packet, or of the whole
  int initiator = 0;                                      // socket of a non-blocking initiator
  sc_core::sc_event* done = nullptr;                      // of a blocking initiator
  posted_access* posted = nullptr;                        // of one that does not wait
  fs_t begun = 0;
  cause why;                // it was begun, and later it goes on
  cause* answer = nullptr;  // of a blocking initiator: receives the cause of the response
  bool is_nonblocking() const { return !done && !posted; }
  void clear() { *this = fabric_access{}; }  // for its next user
};

class access_queue {
 public:
  bool empty() const { return first_ == nullptr; }
  fabric_access& front() const { return *first_; }
  void push(fabric_access& added) {
    added.next = nullptr;
    (first_ ? last_->next : first_) = &added;
    last_ = &added;
  }
  void pop() { first_ = first_->next; }

 private:
  fabric_access* first_ = nullptr;
  fabric_access* last_ = nullptr;
};

class tag_table {
 public:
  struct entry {
    fabric_access* access;
    tlm::tlm_generic_payload* payload;  // of the access
    std::uint32_t offset;               // of the packet's payload in the access
  };

  std::uint32_t take(entry taken) {
    if (free_.empty()) {
      entries_.push_back(taken);
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t tag = free_.back();
    free_.pop_back();
    entries_[tag] = taken;
    return tag;
  }
  entry give_back(std::uint32_t tag) {
    free_.push_back(tag);
    return entries_[tag];
  }
  // Brings what a response is about into the cache before it is taken.
  void prefetch(std::uint32_t tag) const {
    __builtin_prefetch(entries_[tag].access, 1);
    __builtin_prefetch(entries_[tag].payload, 1);
  }

 private:
  std::vector<entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle
