// The accesses of a core that go over its bus, in the core's own time: what each costs, and the
// record of one that was refused. Stores are posted; a fence waits for them.
#pragma once

#include <cstdint>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/core_bus.hpp"
#include "models/cpu/rv/hart_bus.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/poll_watch.hpp"
#include "models/cpu/rv_core/program_end.hpp"
#include "models/cpu/rv_core/rv_core_counters.hpp"
#include "models/cpu/rv_core/trap_text.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

class core_accesses {
 public:
  struct costs {
    std::uint64_t read_cycles = 0, write_cycles = 0;  // on top of the target's time
    bool synchronizes = true;  // each access waits for the core's own time first
  };

  // All must outlive it.
  core_accesses(core_bus& bus, rv::any_hart& hart, core_clock& clock, core_activity& activity,
                program_end& end, poll_watch& poll, rv_core_counters& counters, const costs& cost);
  ~core_accesses();

  void observe(program_observer* by) { observer_ = by; }

  // The accesses of hart_bus, with the same arguments.
  bool load(std::uint64_t address, unsigned bytes, std::uint64_t& value);
  bool store(std::uint64_t address, unsigned bytes, std::uint64_t value);
  bool modify(const rv::atomic_access& access, std::uint64_t& before);
  bool post_modify(const rv::atomic_access& access);
  bool fetch(std::uint64_t address, std::uint16_t& parcel);
  void fence(bool for_devices);

  // A store to local memory that counts as not fenced.
  void note_local_store();
  // Ends the program where the registers have told that the refusal is fatal.
  void note_refusal(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told);
  // The same, by the core's own registers.
  void note_own_refusal(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told);
  const refused_access& refused() const { return refused_; }

 private:
  code_point origin() const;
  bool access(tlm::tlm_generic_payload& payload, std::uint64_t cycles, fs_t& taken);
  bool wait_for_access();
  bool post();
  void set_atomic(const rv::atomic_access& access, std::uint64_t& before);

  core_bus& bus_;
  rv::any_hart& hart_;
  core_clock& clock_;
  core_activity& activity_;
  program_end& end_;
  poll_watch& poll_;
  rv_core_counters& counters_;
  const costs costs_;
  program_observer* observer_ = nullptr;
  tlm::tlm_generic_payload payload_;  // of the access under way
  atomic_extension atomic_;
  refused_access refused_;
};

}  // namespace heddle
