// Extensions of the generic payload.
#pragma once

#include <cstdint>
#include <tlm>

#include "platform/number/atomic_operation.hpp"
#include "platform/tensor/reduce.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

// A word that is written behind the data of a write, once that is there: put with signal.
struct word_behind {
  std::uint64_t address = 0, value = 0;
  std::uint32_t bytes = 0;  // 0: there is none
};

// Ignorable, of one access at a time. Marks a bulk transfer: its bytes also lie in a shared slice,
// so that nobody has to copy them, or are not carried at all (`data: off`), or are described. A
// target that ignores it sees a valid data pointer all the same, and leaves it to the initiator to
// write the word behind the data.
//
// Where the initiator says so, a target that has the bytes of a read in a block of its own may lend
// them: it puts a slice of that block here, and leaves the data array as it is. It does so only if
// the data pointer is that of the slice that it finds, so whoever stands in between with a buffer
// of its own gets the bytes there. A copy of the extension allows no lending. Likewise, a target
// may keep the slice of a write for as long as it likes: nobody writes to a block that is shared.
struct bulk_extension : tlm::tlm_extension<bulk_extension> {
  payload_slice slice;
  bool is_carried = true;
  // The bytes do not lie in the memory that the access goes to: somebody in front of it describes
  // them. The memory takes its time, moves nothing, and keeps no record of what was written.
  bool is_described = false;
  bool may_lend = false;
  std::uint16_t step = 0;          // of the initiator (step_counter.hpp)
  std::uint32_t packet_bytes = 0;  // most payload of its packets; 0: what the fabric's carry
  // Where in a packet the access begins: its first packet is so much shorter than packet_bytes.
  std::uint32_t packet_offset = 0;
  word_behind word;            // to the endpoint of the data
  bool is_word_taken = false;  // set by a target that writes it

  tlm::tlm_extension_base* clone() const override {
    auto* const copy = new bulk_extension;
    copy->copy_from(*this);
    return copy;
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const bulk_extension&>(other);
    may_lend = false;
  }
  // The bytes of an access with that data pointer are those of the slice.
  bool is_slice_of(const tlm::tlm_generic_payload& payload) const {
    return slice && reinterpret_cast<const unsigned char*>(slice.data()) == payload.get_data_ptr();
  }
};

// Not ignorable, so it goes with TLM_IGNORE_COMMAND: the target changes the word of 4 or 8 bytes
// (the data length) in one step, returns what was there in the data array and sets `is_performed`.
// A target that does not know the extension does nothing and may well answer TLM_OK_RESPONSE; a bus
// in front of it reads, modifies and writes the word instead (transactors/bus/target_exchange.hpp).
struct atomic_extension : tlm::tlm_extension<atomic_extension>, atomic_update {
  bool is_performed = false;

  bool fits(unsigned bytes) const { return bytes == 4 || bytes == 8; }
  bool is_add_of_64(unsigned bytes) const {
    return operation == atomic_operation::add && bytes == 8;
  }

  tlm::tlm_extension_base* clone() const override { return new atomic_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const atomic_extension&>(other);
  }
};

// Nothing to be done, and that succeeds.
inline bool is_plain_ignore(const tlm::tlm_generic_payload& payload) {
  return payload.get_command() == tlm::TLM_IGNORE_COMMAND &&
         !payload.get_extension<atomic_extension>();
}

// Ignorable outside multicast regions: a read of such a region returns the members' words reduced
// (multimem.ld_reduce).
struct multimem_extension : tlm::tlm_extension<multimem_extension> {
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;

  tlm::tlm_extension_base* clone() const override { return new multimem_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const multimem_extension&>(other);
  }
};

// Who does not wait for a write or atomic of one word over the fabric, but wants to know when it
// has been performed.
class posted_issuer {
 public:
  virtual void posted_begins() = 0;
  virtual void posted_ends(std::uint64_t address, bool is_ok) = 0;

 protected:
  ~posted_issuer() = default;
};

// Ignorable: a target that performs the access at once need not know.
struct posted_extension : tlm::tlm_extension<posted_extension> {
  posted_issuer* issuer = nullptr;

  tlm::tlm_extension_base* clone() const override { return new posted_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const posted_extension&>(other);
  }
};

}  // namespace heddle
