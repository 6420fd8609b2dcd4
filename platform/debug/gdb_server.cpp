#include "platform/debug/gdb_server.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "platform/debug/hex.hpp"
#include "platform/debug/monitor_commands.hpp"
#include "platform/services/interrupt_watch.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

constexpr int sigint = 2, sigabrt = 6;  // as gdb numbers them

// How long a wait for gdb lasts before it looks for whatever else may have happened.
constexpr std::chrono::milliseconds at_once{0}, a_while{100};

// gdb knows one process, which has one description.
void require_one_architecture(const debug_directory& directory) {
  if (directory.targets.empty())
    throw user_error(
        "--gdb: no core of this netlist executes instructions (perhaps --set "
        "params.core=rv64_core)");
  const debug_target& one = *directory.targets.front();
  for (const debug_target* each : directory.targets)
    if (each->architecture() != one.architecture())
      throw user_error(fmt::format("--gdb: {} is {}, but {} is {}", one.debug_name(),
                                   one.architecture(), each->debug_name(), each->architecture()));
}

}  // namespace

gdb_server::gdb_server(simulation& sim, const gdb_options& options)
    : sim_(sim),
      directory_(sim.service<debug_directory>()),
      waits_(options.waits),
      listener_(options.address, options.port),
      commands_(directory_.targets,
                [this](const std::string& words) { return run_monitor_command(sim_, words); }) {
  require_one_architecture(directory_);
  directory_.host = this;
  std::printf("gdb: target remote %s:%d\n", options.address.c_str(), listener_.port());
  std::fflush(stdout);
}

gdb_server::~gdb_server() {
  constexpr int wrong_input = 2;  // the only way to end without finish()
  if (connection_.is_open()) send(fmt::format("W{:02x}", wrong_input));
  directory_.host = nullptr;
}

debug_target& gdb_server::first() const {
  return failed_ ? *failed_ : *directory_.targets.front();
}

// Ctrl-C ends the wait, and soon after that the run.
void gdb_server::connect(bool waits) {
  do connection_ = listener_.accept(waits ? a_while : at_once);
  while (waits && !connection_.is_open() && !interrupt_watch::is_interrupted());
  arrived_.clear();
  reader_ = packet_reader(packet_runs::plain);
  acknowledges_ = true;
}

void gdb_server::starts(debug_target& core) {
  if (has_started_) return;
  has_started_ = true;
  if (!waits_) return;
  connect(true);
  commands_.report({&core});
  serve();
}

void gdb_server::stops(const debug_stop& stop) {
  while (!is_killed_ && connection_.is_open()) {
    // gdb hears of its step first, as if it were over: only the access is not.
    debug_target* lone = commands_.lone();
    const bool is_turn = !lone || lone == stop.where;
    if (is_turn && !commands_.is_wanted(stop)) return;
    if (!is_turn) lone->show_as_done();
    send(commands_.report(is_turn ? stop : debug_stop{lone, debug_stop::reason::step}));
    serve();
    if (is_turn) return;
  }
}

void gdb_server::look() {
  if (is_killed_) return;
  debug_target* lone = commands_.lone();
  const debug_stop interrupt{lone ? lone : &first(), debug_stop::reason::signal, sigint};
  if (!connection_.is_open()) {
    connect(false);
    if (!connection_.is_open()) return;
    commands_.report(interrupt);
    serve();
    return;
  }
  refuse_others();
  arrived_ += connection_.receive(at_once);
  if (!connection_.is_open()) return let_go();
  while (!arrived_.empty()) {
    const char next = arrived_.front();
    arrived_.erase(0, 1);
    if (reader_.take(next) != packet_reader::event::interrupt) continue;
    stops(interrupt);
    return;
  }
}

void gdb_server::finish(int exit_code, const std::vector<std::string>& failures) {
  if (!connection_.is_open()) return;
  if (!failures.empty() && !is_killed_) {
    for (const std::string& each : failures) print(each + "\n");
    stops({&first(), debug_stop::reason::signal, sigabrt});
  }
  send(fmt::format("W{:02x}", exit_code));
  connection_.close();
}

void gdb_server::serve() {
  while (connection_.is_open()) {
    if (arrived_.empty()) wait_for_bytes();
    if (arrived_.empty()) break;
    const char next = arrived_.front();
    arrived_.erase(0, 1);
    switch (reader_.take(next)) {
      case packet_reader::event::packet:
        if (acknowledges_) connection_.send("+");
        if (!obey(commands_.take(reader_.data()))) return;
        break;
      case packet_reader::event::broken_packet:
        if (acknowledges_) connection_.send("-");
        break;
      case packet_reader::event::repeat:
        connection_.send(last_sent_);
        break;
      default:
        break;
    }
  }
  let_go();
}

// None: gdb has gone, or Ctrl-C ends the run.
void gdb_server::wait_for_bytes() {
  while (arrived_.empty() && connection_.is_open() && !interrupt_watch::is_interrupted()) {
    refuse_others();
    arrived_ = connection_.receive(a_while);
  }
}

// gdb shows the text where it takes an answer to its first question.
void gdb_server::refuse_others() {
  tcp_connection other = listener_.accept(at_once);
  if (!other.is_open()) return;
  const std::string reason = "E.another debugger is connected to this run";
  other.send("+" + make_packet(reason, packet_runs::plain));
  std::fputs("gdb: a second debugger was refused\n", stderr);
}

// False: the cores run again.
bool gdb_server::obey(const gdb_answer& answer) {
  switch (answer.next) {
    case gdb_answer::action::resume:
      return false;
    case gdb_answer::action::kill:
      if (!answer.reply.empty()) send(answer.reply);
      kill();
      return false;
    case gdb_answer::action::detach:
      send(answer.reply);
      let_go();
      return false;
    case gdb_answer::action::stop_acknowledging:
      send(answer.reply);
      acknowledges_ = false;
      return true;
    default:
      send(answer.reply);
      return true;
  }
}

void gdb_server::send(const std::string& data) {
  last_sent_ = make_packet(data, packet_runs::packed);
  connection_.send(last_sent_);
}

void gdb_server::print(const std::string& text) {
  send("O" + hex::from_bytes(text));
}

// Also where gdb has gone without a word.
void gdb_server::let_go() {
  connection_.close();
  commands_.remove_all_points();
}

void gdb_server::kill() {
  let_go();
  is_killed_ = true;
  sim_.service<run_control>().fail("the debugger ended the run at " + format_duration(now_fs()));
}

}  // namespace heddle
