// What an initiator that moves bursts beat by beat adds to a transaction: where the beats come from
// or go to, and the collective that the burst is part of. Not ignorable: the data pointer leads to
// nothing. A target that takes beats says so in `is_known`.
#pragma once

#include <tlm>

#include "platform/time/clock_domain.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

class beat_stream {
 public:
  static constexpr cycle_t never = UINT64_MAX;

  // The cycle from which the next beat is there, of the oldest write that was begun. If that is not
  // known yet, `never`: `asking` is woken for it.
  virtual cycle_t next_beat(const clock_member& asking) = 0;
  virtual payload_handle take_beat(cycle_t now) = 0;                  // passes it on
  virtual void put_beat(payload_handle beat, cycle_t available) = 0;  // of the oldest read

 protected:
  ~beat_stream() = default;
};

struct beat_extension final : tlm::tlm_extension<beat_extension> {
  beat_stream* stream = nullptr;  // nullptr: the data pointer, after all
  bool is_known = false;
  flit_op op = flit_op::unicast;
  std::uint64_t mask = 0;         // of the address; of a reduction: of the members' addresses
  const char* refusal = nullptr;  // set by a target that does not take the burst: why, if it knows

  tlm::tlm_extension_base* clone() const override { return new beat_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const beat_extension&>(other);
  }
};

}  // namespace heddle
