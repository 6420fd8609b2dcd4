// What an engine owns while it works, declared in the shadows of the memories that it accesses. An
// engine says what it takes when firmware starts it, and gives it back at the completion.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tlm>
#include <vector>

#include "platform/buffers/buffer_shadow.hpp"
#include "platform/registers/register_cell.hpp"

namespace heddle {

class simulation;

class engine_buffers {
 public:
  using memory = tlm::tlm_base_initiator_socket_b<>;

  // Passes a debug access on to the memory at its address; how many bytes were moved.
  using debug_access = std::function<unsigned(tlm::tlm_generic_payload&)>;

  // `engine` is its path. All references must outlive the object.
  engine_buffers(simulation& sim, const std::string& engine, memory& socket);
  // For an engine that does not reach memories through a socket.
  engine_buffers(simulation& sim, const std::string& engine, debug_access reach);

  // False: nobody watches, or it was not firmware that wrote the register.
  bool begin(const register_cell& starter);

  // Claims a buffer for the work that has begun. `channel`: -1 where the engine has none.
  void take(buffer_use use, std::uint64_t address, std::uint64_t bytes, std::uint64_t work,
            int channel = -1);
  void release(std::uint64_t first_work, std::uint64_t last_work);

  // A ring of descriptors; the entry with that address is announced. True: it was written since it
  // was completed last, or that is not known; otherwise a report is made.
  void watch_ring(std::uint64_t address, std::uint64_t entries, std::uint64_t entry_bytes);
  bool take_entry(std::uint64_t address, std::uint64_t bytes, std::uint32_t number, int channel);
  void complete_entry(std::uint64_t address);
  // What lies there; false: nothing.
  bool peek(std::uint64_t address, void* to, std::uint64_t bytes);

 private:
  struct location {
    buffer_shadow* shadow = nullptr;
    std::uint64_t offset = 0;
  };
  location find(std::uint64_t address);
  void report(const std::string& reason);

  simulation& sim_;
  const std::string& engine_;
  const debug_access reach_;
  const bool is_on_;
  const register_cell* starter_ = nullptr;
  std::vector<buffer_shadow*> used_;
};

}  // namespace heddle
