// Where time on a critical path can go. A small set that a reader can act upon; whoever adds a unit
// chooses among these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

enum class category : std::uint8_t {
  firmware,         // a core executes, between and in its HAL calls
  doorbell,         // a core tells a device to work; the device fetches what to do
  queueing,         // waits for a port behind other traffic
  serialization,    // bytes pass onto a wire, its own or those of the same flow in front of it
  propagation,      // on a wire
  forwarding,       // through an idle switch
  memory,           // an access, and its wait for the data bus
  wave_slot,        // waits for an entry of a wave table
  reduction,        // a collective's arithmetic, in a vector unit or in the network
  compute,          // a kernel's arithmetic
  completion,       // until a core that polls sees that something is done
  synchronization,  // one rank starts later than the first; a barrier of the network
  credits,          // waits for a free buffer at the far end of a wire
};
inline constexpr std::size_t category_count = 13;

const char* name_of(category what);  // "wave_slot": key of stats.json
const char* text_of(category what);  // "wave-slot wait": for people

}  // namespace heddle
