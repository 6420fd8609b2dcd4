// The initiator socket of an engine that has no thread: accesses by non-blocking transport, with
// payloads from a pool that is their memory manager. A target may answer in the call, as Heddle's
// memories and registers do, or in the four phases of the base protocol: the engine hears of both
// by the same call.
//
//   memory_access& access = requester.take();     // set_access(access, ...), and its context
//   requester.send(access);                       // the owner's ended(access, delay) follows
//
// `ended` is called once for each access: inside send() where the target answers at once. The
// response takes effect `delay` from then. The access is given back when `ended` returns; data that
// is needed longer belongs to a slice of which the owner keeps a copy. A target that has acquired
// the payload may look at it for as long as it likes.
//
// Requests leave one at a time: those that come before the target has taken the one in front wait,
// in order. An owner with a queue of its own asks is_busy(), and hears by `taken` that a request
// was taken, then by `idle` that the next may be sent.
#pragma once

#include <algorithm>
#include <deque>
#include <tlm>
#include <utility>

#include "platform/pool/object_pool.hpp"
#include "platform/time/fs_time.hpp"
#include "transactors/memory/memory_access.hpp"

namespace heddle {

template <class Context>
class memory_requester final : public tlm::tlm_initiator_socket<32>,
                               private tlm::tlm_bw_transport_if<>,
                               private tlm::tlm_mm_interface {
 public:
  struct access final : memory_access {
    Context context{};
  };

  // The owner's members, bound to it.
  struct calls {
    void* owner = nullptr;
    void (*ended)(void*, access&, fs_t) = nullptr;
    void (*taken)(void*, access&) = nullptr;
    void (*idle)(void*) = nullptr;

    template <class Owner, void (Owner::*method)(access&, fs_t)>
    static calls to(Owner& owner) {
      calls made;
      made.owner = &owner;
      made.ended = [](void* object, access& over, fs_t delay) {
        (static_cast<Owner*>(object)->*method)(over, delay);
      };
      return made;
    }
    template <class Owner, void (Owner::*method)(access&)>
    calls& when_taken() {
      taken = [](void* object, access& begun) { (static_cast<Owner*>(object)->*method)(begun); };
      return *this;
    }
    template <class Owner, void (Owner::*method)()>
    calls& when_idle() {
      idle = [](void* object) { (static_cast<Owner*>(object)->*method)(); };
      return *this;
    }
  };

  memory_requester(const char* name, const calls& owner)
      : tlm::tlm_initiator_socket<32>(name), owner_(owner) {
    this->bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  // What the last user has left in it stays: a target may still look at that. Not to be kept
  // without sending it.
  access& take() {
    access& taken = accesses_.take();
    taken.set_plain();
    taken.bulk.slice.reset();
    taken.bulk.may_lend = false;
    taken.bulk.word.bytes = 0;
    taken.set_mm(this);
    taken.acquire();
    return taken;
  }

  // The request is made `delay` from now, or later where others are in front.
  void send(access& sent, fs_t delay = 0) {
    const bool is_alone = open_++ == 0;
    if (!is_alone && is_busy()) {
      sent.not_before = now_fs() + delay;
      return waiting_.push_back(&sent);
    }
    begin(sent, delay);
    // The target may have answered in a call that made the owner send more.
    if (!waiting_.empty()) send_waiting();
  }

  bool is_busy() const { return requesting_ != nullptr || !waiting_.empty(); }
  std::size_t open() const { return open_; }  // sent and not ended

 private:
  void send_waiting() {
    while (!requesting_ && !waiting_.empty()) {
      access& next = *waiting_.front();
      waiting_.pop_front();
      const fs_t now = now_fs();
      begin(next, next.not_before > now ? next.not_before - now : 0);
    }
  }

  void begin(access& sent, fs_t wanted) {
    const fs_t earliest = std::exchange(accepted_at_, 0);
    if (earliest != 0) wanted = std::max(wanted, earliest - std::min(earliest, now_fs()));
    requesting_ = &sent;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_sc_time(wanted);
    const auto result = (*this)->nb_transport_fw(sent, phase, delay);
    if (result == tlm::TLM_ACCEPTED) return;  // and perhaps answered and given back by now
    const bool is_answered = result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
    end_request(sent, is_answered ? 0 : to_fs(delay));
    if (!is_answered) return;
    if (result == tlm::TLM_UPDATED) {
      phase = tlm::END_RESP;
      (*this)->nb_transport_fw(sent, phase, delay);
    }
    end(sent, to_fs(delay));
  }

  // The target takes the next request `delay` from now.
  void end_request(access& taken, fs_t delay) {
    requesting_ = nullptr;
    if (delay != 0) accepted_at_ = now_fs() + delay;
    if (owner_.taken) owner_.taken(owner_.owner, taken);
  }

  void end(access& over, fs_t delay) {
    --open_;
    owner_.ended(owner_.owner, over, delay);
    over.release();
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    access& about = static_cast<access&>(payload);
    const bool ends_request = requesting_ == &about;  // BEGIN_RESP implies END_REQ
    const bool is_response = phase == tlm::BEGIN_RESP;
    about.acquire();  // not to be used again inside of this call
    if (ends_request) end_request(about, is_response ? 0 : to_fs(delay));
    if (is_response) end(about, to_fs(delay));
    if (ends_request && owner_.idle) owner_.idle(owner_.owner);
    if (ends_request) send_waiting();
    about.release();
    return is_response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }

  // It asks for no direct access.
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // Nobody refers to the payload any more.
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();  // of extensions that others have added for as long as it lived
    accesses_.give_back(static_cast<access&>(*payload));
  }

  calls owner_;
  object_pool<access> accesses_;
  std::deque<access*> waiting_;
  access* requesting_ = nullptr;  // BEGIN_REQ, but no END_REQ yet
  std::size_t open_ = 0;
  fs_t accepted_at_ = 0;  // the target takes the next request; 0: any time
};

}  // namespace heddle
