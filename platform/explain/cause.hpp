// Why something happens when it does: the latest step of a chain that leads back to a start mark.
// Packets, bursts, waves, cores carry a cause; each thing that takes time on the way adds a step:
//
//   p.why.then(category::propagation, wire, now + latency);   // what the time since the last was
//
// A step ends where its text says and begins where the one before it ends, so that the lengths of a
// chain add up to the whole exactly. Where several inputs must be there, the last of them is the
// cause (join), which is usually the one whose arrival is being handled (running_cause.hpp). What
// starts when a resource becomes free has as its cause the step that freed it.
//
// An empty cause stays empty: while nothing is explained, each call is one predictable branch.
// Blocks of steps (step.hpp) are pooled, shared and counted: chains that led nowhere are given back
// at once, so memory holds what is still under way and the paths to it.
#pragma once

#include <cstdint>
#include <utility>

#include "platform/explain/category.hpp"
#include "platform/explain/step.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

class cause {
 public:
  cause() = default;
  // The first step of a chain: a start mark.
  static cause start(site_id where, fs_t when);

  cause(const cause& other) : latest_(other.latest_) {
    if (latest_) ++latest_.block().references;
  }
  cause(cause&& other) noexcept : latest_(std::exchange(other.latest_, {})) {}
  cause& operator=(const cause& other) noexcept {
    const step dropped = latest_;
    latest_ = other.latest_;
    if (latest_) ++latest_.block().references;
    if (dropped) drop(dropped);
    return *this;
  }
  cause& operator=(cause&& other) noexcept {
    std::swap(latest_, other.latest_);
    other.clear();
    return *this;
  }
  ~cause() {
    if (latest_) drop(latest_);
  }
  void clear() {
    if (latest_) drop(std::exchange(latest_, {}));
  }

  explicit operator bool() const { return static_cast<bool>(latest_); }
  fs_t when() const { return latest_ ? latest_.when() : 0; }
  step latest() const { return latest_; }

  // What happened since, up to `when`. Nothing, where that is not later.
  void then(category what, site_id where, fs_t when) {
    if (latest_ && when > latest_.when()) add(step_block::site_of(what, where), when);
  }
  // As then(), but leaves a step even where it has no length, so that back_to() finds it.
  void mark(category what, site_id where, fs_t when);
  // As then() for two parts in turns, `first` until `between` and `second` until `when`. However
  // often that is repeated, one step of each remains, because only their sums matter.
  void then_in_turns(category first, fs_t between, category second, site_id where, fs_t when);
  // Keeps the later of the two chains.
  void join(const cause& other) {
    if (other.latest_ && (!latest_ || other.latest_.when() > latest_.when())) *this = other;
  }
  // Cuts the chain off at `when`, because what follows overlaps with its end.
  void cut(fs_t when);
  // The chain up to the latest such step; empty when there is none.
  cause back_to(category what, site_id where) const;
  // How much of the time after `since` the chain spent in that category.
  fs_t spent(category what, fs_t since) const;

 private:
  void add(std::uint32_t site, fs_t when);
  void lengthen(std::uint32_t site, fs_t when);
  void append(std::uint32_t site, fs_t when);
  void append_in_new_block(std::uint32_t site, fs_t when);
  void go_back_to(step earlier);
  static void drop(step unused) {
    if (--unused.block().references == 0) give_back(unused);
  }
  static void give_back(step unused);

  step latest_;
};

}  // namespace heddle
