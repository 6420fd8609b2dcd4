// The initiator socket of an engine that computes ahead of simulated time: it has to know how an
// access ends before it goes on. Heddle's memories and buses answer in the call; a target that
// answers later, or waits, fails the run with a message that says so.
#pragma once

#include <cstdint>
#include <tlm>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/memory_requester.hpp"

namespace heddle {

class prompt_requester {
 public:
  struct answer {
    fs_t done = 0;
    bool is_ok = false;
  };

  // The port of `owner` is called `name` as well.
  prompt_requester(const char* name, const unit& owner)
      : name_(name),
        owner_(owner),
        socket_(name, requester::calls::to<prompt_requester, &prompt_requester::ended>(*this)) {}
  prompt_requester(const prompt_requester&) = delete;
  prompt_requester& operator=(const prompt_requester&) = delete;

  // `start` is not before now. `data` has room for the bytes also where they are not carried;
  // `slice`: where they also lie, or nothing. `packet_bytes`: as in bulk_extension.
  answer access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes,
                fs_t start, bool is_carried, const payload_slice& slice = {},
                std::uint32_t packet_bytes = 0) {
    answer here;
    requester::access& sent = socket_.take();
    set_access(sent, command, address, data, bytes);
    sent.bulk.slice = slice;
    sent.bulk.is_carried = is_carried;
    sent.bulk.packet_bytes = packet_bytes;
    sent.context.waiting = &here;
    is_answered_ = false;
    socket_.send(sent, start - now_fs());
    if (is_answered_) return here;
    sent.context.waiting = nullptr;  // it ends some day, and nobody waits for it
    owner_.sim().service<run_control>().fail(owner_.path() + "." + name_ +
                                             " is bound to a memory that does not answer in the "
                                             "call: this engine cannot wait for it");
    return {start, false};
  }

  tlm::tlm_initiator_socket<32>& socket() { return socket_; }

 private:
  struct context {
    answer* waiting = nullptr;
  };
  using requester = memory_requester<context>;

  void ended(requester::access& over, fs_t delay) {
    over.bulk.slice.reset();
    if (!over.context.waiting) return;
    is_answered_ = true;
    *over.context.waiting = {now_fs() + delay, over.is_response_ok()};
  }

  const char* const name_;
  const unit& owner_;
  requester socket_;
  bool is_answered_ = false;
};

}  // namespace heddle
