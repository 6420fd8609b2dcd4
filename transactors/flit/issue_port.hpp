// Where cores of a cluster ask for cycles of the FPUs that a router borrows (Direct Compute Access,
// collective NoC 3.2.1): `workers.fpus -> fpu.issue`. Who is not bound has FPUs of its own.
//
//   stream  one cycle at a time: the caller hears how much later than it asked
//   run     a number of cycles in a row, which end later by every cycle that somebody else takes
#pragma once

#include <string>

#include "platform/time/clock_domain.hpp"
#include "platform/unit/port.hpp"

namespace heddle {

// Whoever has the FPUs, and the rule by which they are shared.
class issue_arbiter {
 public:
  // From the instant asked for to the beginning of the cycle that the stream gets; 0: that very
  // one.
  virtual fs_t stream_delay(fs_t from) = 0;
  // At most one run at a time; `first` was not evaluated yet.
  virtual void start_run(cycle_t first, cycle_t cycles) = 0;
  // The cycle after its last one, as far as is known now; final when it is reached.
  virtual cycle_t run_end() const = 0;

 protected:
  ~issue_arbiter() = default;
};

class issue_target_port final : public port {
 public:
  issue_target_port(unit& owner, const std::string& name, issue_arbiter& arbiter)
      : port(owner, name), arbiter_(arbiter) {}

  std::string kind() const override { return "issue target"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: initiators connect

 private:
  friend class issue_initiator_port;
  issue_arbiter& arbiter_;
};

class issue_initiator_port final : public port {
 public:
  issue_initiator_port(unit& owner, const std::string& name) : port(owner, name) {}

  std::string kind() const override { return "issue initiator"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;

  issue_arbiter* arbiter() const { return arbiter_; }  // nullptr: not bound

 private:
  issue_arbiter* arbiter_ = nullptr;
};

}  // namespace heddle
