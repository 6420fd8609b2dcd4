#include "platform/run/mmio_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <systemc>

#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/silent_cores.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/run/mmio_record.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/suggest.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

register_file& find_registers(simulation& sim, const std::string& path) {
  std::vector<std::string> known;
  for (register_file* each : sim.service<register_directory>().files) {
    if (each->path() == path) return *each;
    known.push_back(each->path());
  }
  throw user_error("no unit '" + path + "' with registers" + did_you_mean(path, known));
}

// A log without an access to the unit is one of another netlist, or of another unit.
void check_unit(const std::vector<mmio_record>& records, const std::string& unit,
                const std::string& log) {
  std::set<std::string> known;
  for (const mmio_record& each : records)
    if (!each.unit.empty()) known.insert(each.unit);
  if (known.count(unit) == 0)
    throw user_error(log + ": no access to '" + unit + "'" +
                     did_you_mean(unit, {known.begin(), known.end()}));
}

class player {
 public:
  player(simulation& sim, register_file& registers, std::vector<mmio_record> log)
      : sim_(sim), registers_(registers), log_(std::move(log)) {
    std::stable_sort(log_.begin(), log_.end(),
                     [](const mmio_record& a, const mmio_record& b) { return a.time < b.time; });
    sc_core::sc_spawn([this] { run(); }, "mmio_replay");
  }

  const mmio_replay_report& report() const { return report_; }

 private:
  // Atomics of a device come in by its network, not by the registers: they are left out.
  void run() {
    for (const mmio_record& each : log_) {
      const bool is_plain = each.command == "read" || each.command == "write";
      const bool is_ours = each.unit == registers_.path() && is_plain;
      const bool is_store = each.unit.empty() && each.command != "read";
      if (!is_ours && !is_store) continue;
      if (each.time > now_fs()) wait_until(each.time);
      if (is_ours)
        play(each);
      else
        store(each);
    }
    sim_.service<run_control>().stop();
  }

  void store(const mmio_record& record) {
    auto* const core = dynamic_cast<rank_core*>(sim_.find_unit(record.core));
    if (core == nullptr || record.response != "TLM_OK_RESPONSE") return;
    try {
      std::uint64_t value = record.value;
      if (record.command != "write") {
        const std::optional<atomic_update> atomic = atomic_of(record);
        if (!atomic) return;
        value = 0;
        core->debug_read(record.address, &value, record.bytes);
        value = atomic->result(value, record.bytes);
      }
      core->debug_write(record.address, &value, record.bytes);
    } catch (const user_error&) {
      // Over the fabric: the log holds it for people.
    }
  }

  void play(const mmio_record& record) {
    ++report_.accesses;
    std::uint64_t value = record.command == "read" ? 0 : record.value;
    tlm::tlm_generic_payload payload;
    payload.set_command(record.command == "read" ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(record.offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(record.bytes);
    payload.set_streaming_width(record.bytes);
    sc_core::sc_time delay;
    registers_.b_transport(payload, delay);
    const std::string response = payload.get_response_string();
    if (value == record.value && response == record.response) return;
    constexpr std::size_t most = 10;
    if (++report_.differing <= most)
      report_.first.push_back({record.text(), fmt::format("= {:#x} {}", value, response)});
  }

  simulation& sim_;
  register_file& registers_;
  std::vector<mmio_record> log_;
  mmio_replay_report report_;
};

}  // namespace

mmio_replay_report replay_mmio(const std::string& netlist,
                               const std::vector<netlist_override>& overrides,
                               const std::string& unit, const std::string& log) {
  netlist_plan plan = plan_netlist(netlist, overrides);
  silence_cores(plan);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  register_file& registers = find_registers(sim, unit);
  std::vector<mmio_record> records = read_mmio_log(log);
  check_unit(records, unit, log);
  player played(sim, registers, std::move(records));
  run_kernel();
  return played.report();
}

}  // namespace heddle
