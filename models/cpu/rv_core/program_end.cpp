#include "models/cpu/rv_core/program_end.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

program_end::program_end(const unit& core, core_clock& clock, core_activity& activity,
                         const loaded_program& program, debug_target& debugged)
    : core_(core), clock_(clock), activity_(activity), program_(program), debugged_(debugged) {}

void program_end::exit(int code) {
  clock_.synchronize();
  clock_.count_last();
  if (on_exit) on_exit();
  run_control& control = core_.sim().service<run_control>();
  if (code != 0) {
    show_debugger();
    control.fail(fmt::format("{}: firmware '{}' ended with code {} at {}{}", core_.path(),
                             program_.name(), code, format_duration(now_fs()),
                             activity_.last_words()));
  }
  activity_.show(core_activity::state::finished);
  control.core_finishes();
  halt();
}

void program_end::fail(const std::string& what) {
  core_.sim().service<run_control>().fail(
      fmt::format("{}: {}, {}", core_.path(), what, program_.position()));
  fault();
}

void program_end::fail(const std::string& what, std::uint64_t returns_to) {
  constexpr std::uint64_t into_call = 2;  // bytes back, of the shortest instruction
  const std::string line = program_.line_at({returns_to - into_call}).text();
  core_.sim().service<run_control>().fail(
      fmt::format("{}: {}{}", core_.path(), what, line.empty() ? line : "\n  at " + line));
  fault();
}

void program_end::fault() {
  clock_.count_instructions();
  if (observer_) observer_->break_off();
  show_debugger();
  activity_.show(core_activity::state::fault);
  halt();
}

void program_end::show_debugger() {
  debug_host* const host = core_.sim().service<debug_directory>().host;
  if (host) host->fails(debugged_);
}

void program_end::halt() {
  is_over_ = true;
  if (observer_) observer_->rest();
  sc_core::sc_event never;
  for (;;) sc_core::wait(never);
}

}  // namespace heddle
