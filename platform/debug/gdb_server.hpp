// Lets gdb stop the run. A core that stops serves gdb where it stands, inside its process: nobody
// else advances, simulated time stands still. While cores run, the run looks between its slices
// whether gdb interrupts, or connects.
//
// Ends: with the run, where gdb is told the exit code; a run that has failed stops once more before
// that, with all cores where they were. After detaching the run goes on alone, and gdb may connect
// again; killing it fails the run.
//
// gdb steps over a breakpoint by letting one core run alone. Simulated time passes for its access,
// so others run too; when one of them stops first, gdb is told that the step is over.
//
// Limitations: then what a load returns is not seen in its register before the next stop. An
// interrupt is seen after at most 20 us of simulated time, and finds cores in the
// middle of accesses.
#pragma once

#include <string>
#include <vector>

#include "platform/debug/debug_target.hpp"
#include "platform/debug/gdb_commands.hpp"
#include "platform/debug/packet_codec.hpp"
#include "platform/debug/tcp_socket.hpp"

namespace heddle {

class simulation;

struct gdb_options {
  std::string address = "127.0.0.1";
  int port = 0;       // 0: any that is free
  bool waits = true;  // for a connection before anything happens
};

class gdb_server final : private debug_host {
 public:
  // When the netlist is built. Throws user_error where it cannot be debugged. Prints where it
  // listens.
  gdb_server(simulation& sim, const gdb_options& options);
  ~gdb_server();
  gdb_server(const gdb_server&) = delete;
  gdb_server& operator=(const gdb_server&) = delete;

  // Serves what gdb has asked for. Called between slices of the run.
  void look();
  // Tells gdb that the run has ended.
  void finish(int exit_code, const std::vector<std::string>& failures);

 private:
  void starts(debug_target& core) override;
  void stops(const debug_stop& stop) override;
  void fails(debug_target& core) override {
    if (!failed_) failed_ = &core;  // the first counts
  }

  void connect(bool waits);
  void serve();  // until the cores run again
  void wait_for_bytes();
  void refuse_others();  // one connection at a time
  bool obey(const gdb_answer& answer);
  void send(const std::string& data);
  void print(const std::string& text);  // in gdb, while cores run
  void let_go();
  void kill();
  debug_target& first() const;

  simulation& sim_;
  debug_directory& directory_;
  const bool waits_;
  tcp_listener listener_;
  tcp_connection connection_;
  std::string arrived_;  // not looked at yet
  packet_reader reader_{packet_runs::plain};
  gdb_commands commands_;
  bool acknowledges_ = true;
  std::string last_sent_;
  bool has_started_ = false;
  bool is_killed_ = false;
  debug_target* failed_ = nullptr;
};

}  // namespace heddle
