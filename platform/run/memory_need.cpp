#include "platform/run/memory_need.hpp"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "platform/pool/out_of_memory.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// How much the operands of the largest workload take; "" where no workload says so.
std::string need_of(const workload_set* workloads) {
  const workload_runner* largest = nullptr;
  if (workloads)
    for (const auto& each : workloads->runners())
      if (!largest || each->what().operand_bytes() > largest->what().operand_bytes())
        largest = each.get();
  if (!largest || largest->what().operand_bytes() == 0) return {};
  const std::uint64_t bytes = largest->what().operand_bytes();
  return fmt::format(
      "; a job of {} ranks has operands of {} together: the simulator keeps them to check the "
      "results, and the simulated memories hold as much again, at least {}; `data: off` carries "
      "sizes alone",
      largest->cores().ranks.size(), format_bytes(bytes), format_bytes(2 * bytes));
}

}  // namespace

void with_memory_need(const workload_set* workloads, const std::function<void()>& simulates) {
  try {
    simulates();
  } catch (const std::bad_alloc& error) {
    throw user_error(error.what() + need_of(workloads));
  } catch (const sc_core::sc_report& report) {  // of an exception of a process
    const std::string_view message = report.get_msg();
    if (message.substr(0, out_of_memory.size()) != out_of_memory) throw;
    throw user_error(report.get_msg() + need_of(workloads));
  }
}

}  // namespace heddle
