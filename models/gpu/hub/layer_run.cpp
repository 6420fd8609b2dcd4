#include "models/gpu/hub/layer_run.hpp"

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/hub_wires.hpp"
#include "models/gpu/hub/layer_parts.hpp"
#include "models/gpu/hub/sm_groups.hpp"
#include "models/gpu/hub/tile_schedule.hpp"
#include "models/gpu/hub/token_combine.hpp"
#include "models/gpu/hub/token_notices.hpp"
#include "models/gpu/hub/token_results.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/hub/vector_mover.hpp"

namespace heddle {

layer_run::layer_run(hub_core& core, const workers& all)
    : hub_part(core), all_(all), begin_(timed_call::to<layer_run, &layer_run::begin>(*this)) {}

void layer_run::start() {
  status_.start();
  ++layers_started_;
  started_ = now_fs();
  all_.wires.start();
  all_.notices.send_counts();
  begin_if_all_counts();
}

void layer_run::count_arrived() {
  ++counts_seen_;
  begin_if_all_counts();
}

// Counts of GPUs that are ahead may come before this one has started. Clearing the layout table
// takes an access to memory, and its bandwidth.
void layer_run::begin_if_all_counts() {
  const bool is_started = status_.is_busy() && !status_.is_running();
  if (!is_started || counts_seen_ < layers_started_ * (layer_.gpus - 1)) return;
  begin_why_ = running_cause::copy();
  begin_.at(now_fs() + settings_.memory_latency +
            settings_.hbm.duration(all_.blocks.table_bytes()));
}

void layer_run::begin() {
  if (!status_.is_busy()) return;  // it has failed meanwhile
  begin_why_.then(category::memory, site_, now_fs());
  const running_cause beginning(begin_why_);
  status_.run();
  all_.tiles.begin();
  all_.parts.begin();
  all_.groups.run_commands();
  finish_if_done();
}

bool layer_run::is_done() const {
  return status_.is_running() && all_.results.tokens_done() == layer_.tokens &&
         all_.tiles.rows_done() == all_.tracker.rows() && all_.parts.are_done() &&
         all_.combine.has_heard_of_all() && all_.mover.has_stored_all();
}

void layer_run::finish_if_done() {
  if (!is_done()) return;
  status_.stop();
  finished_ = now_fs();
  raise_counters();
  status_.complete();
}

// Raises the statistics that parts of the hub count over all layers.
void layer_run::raise_counters() {
  const auto raise_to = [](statistic& known, std::uint64_t now) { known += now - known.raw(); };
  raise_to(counters_.row_spills, all_.tracker.row_spills());
  raise_to(counters_.token_spills, all_.tracker.token_spills());
  raise_to(counters_.computing, all_.sms.busy());
  raise_to(counters_.operand_misses, all_.sms.operand_misses());
}

}  // namespace heddle
