#include "platform/run/out_of_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

[[noreturn]] void refuse(const workload_set* workloads) {
  const workload_runner* largest = nullptr;
  if (workloads)
    for (const auto& each : workloads->runners())
      if (!largest || each->what().operand_bytes() > largest->what().operand_bytes())
        largest = each.get();
  if (!largest || largest->what().operand_bytes() == 0)
    throw user_error("out of memory: the simulated memories hold more than this machine gives");
  const std::uint64_t bytes = largest->what().operand_bytes();
  throw user_error(
      largest->settings().place,
      fmt::format("out of memory: a job of {} ranks has operands of {} together; the simulator "
                  "keeps them to check the results, and the simulated memories hold as much again "
                  "and what firmware receives: at least {}. `data: off` carries sizes alone",
                  largest->cores().ranks.size(), format_bytes(bytes), format_bytes(2 * bytes)));
}

// The kernel turns exceptions of processes into reports of its own.
bool is_out_of_memory(const sc_core::sc_report& report) {
  return std::strstr(report.get_msg(), "bad_alloc") != nullptr;
}

}  // namespace

void with_memory_error(const workload_set* workloads, const std::function<void()>& simulates) {
  try {
    simulates();
  } catch (const std::bad_alloc&) {
    refuse(workloads);
  } catch (const sc_core::sc_report& report) {
    if (!is_out_of_memory(report)) throw;
    refuse(workloads);
  }
}

}  // namespace heddle
