#include "models/cpu/poll_sleep.hpp"

#include "platform/poll/poll_question.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

// So long before a deadline the core polls again: longer than a memory is ever busy with what came
// before a poll.
constexpr fs_t last_stretch = 10 * fs_per_us;

}  // namespace

poll_sleep::poll_sleep(memory_initiator_base& bus, fs_t between, const access_origin& origin,
                       statistic& reads, statistic& polls)
    : bus_(bus),
      poll_(reads, polls),
      clock_(timed_call::to<poll_sleep, &poll_sleep::look_at_clock>(*this)) {
  poll_.origin = &origin;
  poll_.between = between;
}

// nullptr also where the word has changed since the poll read it: the answer took time.
poll_ledger* poll_sleep::find(std::uint64_t address, unsigned bytes, std::uint64_t value) {
  std::uint64_t holds = 0;
  set_access(asking_, tlm::TLM_READ_COMMAND, address, &holds, bytes);
  poll_question question;
  auto& asked = bus_.get_base_port();
  question.asked = asked.operator->();
  asking_.set_extension(&question);
  asked->transport_dbg(asking_);
  asking_.clear_extension(&question);
  poll_.address = question.address;
  poll_.route = question.route;
  return holds == value ? question.ledger : nullptr;
}

bool poll_sleep::until_changed(std::uint64_t address, unsigned bytes, std::uint64_t value,
                               fs_t deadline) {
  const fs_t now = now_fs();
  poll_.answered = now;
  poll_.next = now + poll_.between;
  if (deadline < poll_.next + last_stretch) return false;
  ledger_ = find(address, bytes, value);
  if (!ledger_) return false;
  poll_.bytes = bytes;
  poll_.value = value;
  ledger_->add(poll_);
  clock_due_ = deadline == fs_never ? fs_never : deadline - last_stretch;
  if (clock_due_ != fs_never) clock_.at(clock_due_);
  sc_core::wait(poll_.wake);
  poll_.count_begun(now_fs());
  return true;
}

// Sleeps are many and mostly short: the one call stays pending for whichever comes next.
void poll_sleep::look_at_clock() {
  if (!poll_.is_asleep || clock_due_ == fs_never) return;
  if (now_fs() < clock_due_) return clock_.at(clock_due_);
  ledger_->wake(poll_);
}

}  // namespace heddle
