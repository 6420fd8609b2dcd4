// What gdb's packets mean: answers about the cores, which are its threads 1, 2, ... of one process,
// and what it wants the run to do. Knows nothing of sockets, and of simulated time only that it
// stands still.
//
// Limitations: all-stop mode. When one core steps, the others run as far as simulated time has to
// go on for it. Those that gdb keeps from running (scheduler-locking) stand from the end of their
// quantum on, while simulated time goes on. Breakpoints and watchpoints hold for all cores,
// wherever they see the address.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/debug/debug_points.hpp"
#include "platform/debug/debug_target.hpp"

namespace heddle {

struct gdb_answer {
  enum class action {
    none,                // but to send the reply
    stop_acknowledging,  // neither side acknowledges packets any more after this reply
    resume,              // no reply before the next stop
    detach,
    kill
  };
  std::string reply;
  action next = action::none;
};

class gdb_commands {
 public:
  static constexpr std::size_t packet_bytes = 0x4000;

  // What `monitor WORDS` prints.
  using monitor = std::function<std::string(const std::string& words)>;

  // At least one target; they outlive the object.
  gdb_commands(const std::vector<debug_target*>& targets, monitor run_monitor);

  gdb_answer take(std::string_view packet);
  // The packet that reports the stop, and the answer to '?' from now on. Nobody steps any more.
  std::string report(const debug_stop& stop);
  void remove_all_points();
  // The one core that gdb lets run to step over something: it takes a stop of any other one
  // meanwhile for a mistake. nullptr: all run.
  debug_target* lone() const { return lone_; }
  // The point that stopped the core has not been removed since.
  bool is_wanted(const debug_stop& stop) const { return points_.holds(stop); }

 private:
  using text = std::string_view;
  enum class motion { stand, go_on, step };  // of a core until the next stop

  gdb_answer take_named(text packet);
  // The reply to a packet that does not change which cores run.
  std::string reply_to(text packet);
  std::string query(text packet);
  std::string set_thread(text packet);
  std::string read_registers();
  std::string write_registers(text packet);
  std::string read_register(text packet);
  std::string write_register(text packet);
  std::string read_memory(text packet);
  std::string write_memory(text packet, bool is_binary);
  std::string change_point(text packet, bool is_inserted);
  std::string read_document(text packet);
  std::string run_monitor(text packet);
  gdb_answer resume_one(text packet, char kind);
  bool set_pc(std::uint64_t address);
  gdb_answer resume_some(text actions);
  // What each thread is to do; nullopt where the packet is malformed.
  std::optional<std::vector<motion>> motions_of(text actions) const;
  void release_all();  // nobody steps, waits for another core or runs alone

  debug_target& current() const { return *targets_[current_]; }
  // True where the number names a thread of ours, or is 0 or -1, which stand for any thread.
  bool find_thread(text number, std::size_t& index) const;

  const std::vector<debug_target*>& targets_;
  debug_points points_;
  monitor monitor_;
  std::size_t current_ = 0;
  debug_target* lone_ = nullptr;
  std::string last_stop_ = "S05";
};

}  // namespace heddle
