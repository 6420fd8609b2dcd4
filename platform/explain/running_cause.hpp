// The cause of what is being done at this moment. Whoever handles an event names it for the time of
// the call:
//
//   running_cause handling(packet.why);
//   client.take_response(packet);
//
// and whoever is called, across sockets of whatever protocol, finds it: a memory adds its access to
// it, a device takes a copy with what it starts, a register remembers who has set it. A small read
// says who wrote what it found: a core that polls then knows why its wait is over.
//
// It holds until the call returns or waits: code that waits puts it aside (cause_aside).
#pragma once

#include "platform/explain/cause.hpp"

namespace heddle {

class running_cause {
 public:
  // With an empty cause, nothing is being explained while this object lives.
  explicit running_cause(cause& why) : outer_(current_) { current_ = why ? &why : nullptr; }
  ~running_cause() { current_ = outer_; }
  running_cause(const running_cause&) = delete;
  running_cause& operator=(const running_cause&) = delete;

  // nullptr: nothing is being explained.
  static cause* now() { return current_; }
  static cause copy() { return current_ ? *current_ : cause(); }
  // The later of `why` and the running cause.
  static void join_into(cause& why) {
    if (current_) why.join(*current_);
  }

  // Notes who wrote the word that is being read.
  static void see(const cause& writer) { seen_.join(writer); }
  static cause take_seen() { return std::move(seen_); }

 private:
  friend class cause_aside;

  cause* outer_;
  inline static cause* current_ = nullptr;
  inline static cause seen_;
};

// While it lives there is no running cause: around a wait, and around accesses that the caller
// accounts for by itself.
class cause_aside {
 public:
  cause_aside() : kept_(running_cause::current_) { running_cause::current_ = nullptr; }
  ~cause_aside() { running_cause::current_ = kept_; }
  cause_aside(const cause_aside&) = delete;
  cause_aside& operator=(const cause_aside&) = delete;

 private:
  cause* kept_;
};

}  // namespace heddle
