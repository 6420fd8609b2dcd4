// What members of one lane of a clock domain hand over to members of another. It lies here until
// the turn is over, so that no state is written by one thread while another may read it. Of two
// sheets one is written while the other, of the turn before, is read.
//
// A line of the cache takes its time from one processor to another. So letters hold what they bring
// and lie side by side, and the line by which the other lane hears that the turn is over says how
// many there are.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "platform/time/clock_outlook.hpp"
#include "platform/time/cycle.hpp"

namespace heddle {

class lane_mailbox {
 public:
  struct letter;

  // Of a letter, in the lane that reads.
  class addressee {
   public:
    virtual void receive(const letter& read, cycle_t cycle) = 0;

   protected:
    ~addressee() = default;
  };

  struct alignas(32) letter {
    addressee* to;
    std::uint32_t ahead;  // of the first cycle of the turn
    std::uint32_t detail;
    std::array<std::byte, 16> content;

    template <class T>
    void enclose(const T& enclosed) {
      static_assert(sizeof(T) == sizeof content && std::is_trivially_copyable_v<T>);
      std::memcpy(content.data(), &enclosed, sizeof content);
    }
    template <class T>
    T enclosed() const {
      static_assert(sizeof(T) == sizeof content && std::is_trivially_copyable_v<T>);
      T copy;
      std::memcpy(static_cast<void*>(&copy), content.data(), sizeof content);
      return copy;
    }
  };

  // By the thread that writes ------------------------------------------------------------------
  void begin(std::uint64_t turn, cycle_t first_cycle) {
    turn_ = turn;
    first_cycle_ = first_cycle;
    asked_ = in_case_ = clock_outlook::never;
    written_.clear();
  }
  // To receive it wakes a member for the cycle `asks_for`.
  letter& post(addressee& to, cycle_t cycle, std::uint32_t detail, cycle_t asks_for) {
    asked_ = std::min(asked_, asks_for);
    return add(to, cycle, detail);
  }
  // To receive it may wake a member, not for an earlier cycle than that.
  letter& post_in_case(addressee& to, cycle_t cycle, std::uint32_t detail, cycle_t earliest) {
    in_case_ = std::min(in_case_, earliest);
    return add(to, cycle, detail);
  }
  // The earliest cycles that letters of this turn ask for.
  cycle_t asked() const { return asked_; }
  cycle_t in_case() const { return in_case_; }
  // The turn is over. Letters are copied at once: to write each when it is posted would be to wait
  // for the line that the other thread has read.
  void send(const clock_outlook& outlook) {
    std::vector<letter>& copies = sent_[turn_ % 2];
    copies.assign(written_.begin(), written_.end());
    sheet& sent = sheets_[turn_ % 2];
    sent.outlook = outlook;
    sent.first_cycle = first_cycle_;
    sent.letters = copies.data();
    sent.count = static_cast<std::uint32_t>(copies.size());
    sent.turn.store(turn_, std::memory_order_release);
  }

  // By the thread that reads -------------------------------------------------------------------
  bool is_sent(std::uint64_t turn) const {
    return sheets_[turn % 2].turn.load(std::memory_order_acquire) == turn;
  }
  // The turn is sent.
  const clock_outlook& outlook(std::uint64_t turn) const { return sheets_[turn % 2].outlook; }
  void prefetch(std::uint64_t turn) const {
    const sheet& read = sheets_[turn % 2];
    for (std::uint32_t i = 0; i < read.count; i += 64 / sizeof(letter))
      __builtin_prefetch(read.letters + i);
  }
  void deliver(std::uint64_t turn) const {
    const sheet& read = sheets_[turn % 2];
    for (std::uint32_t i = 0; i < read.count; ++i) {
      const letter& each = read.letters[i];
      each.to->receive(each, read.first_cycle + each.ahead);
    }
  }

 private:
  struct alignas(64) sheet {  // a line of the cache
    std::atomic<std::uint64_t> turn{UINT64_MAX};
    cycle_t first_cycle = 0;
    const letter* letters = nullptr;
    clock_outlook outlook;
    std::uint32_t count = 0;
  };
  static_assert(sizeof(sheet) == 64);

  letter& add(addressee& to, cycle_t cycle, std::uint32_t detail) {
    return written_.emplace_back(
        letter{&to, static_cast<std::uint32_t>(cycle - first_cycle_), detail, {}});
  }

  std::array<sheet, 2> sheets_;  // which the other thread looks at all the time
  alignas(64) std::array<std::vector<letter>, 2> sent_;
  std::vector<letter> written_;
  std::uint64_t turn_ = 0;  // that is written
  cycle_t first_cycle_ = 0;
  cycle_t asked_ = clock_outlook::never, in_case_ = clock_outlook::never;
};

}  // namespace heddle
