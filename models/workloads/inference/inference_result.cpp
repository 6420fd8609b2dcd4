// What a step's result says: its time with all layers, kernels and all-reduces apart, and where the
// times of kernels come from.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/workloads/inference/inference_job.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/unit/energy_book.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

json kernels_json(const decoder_kernels& kernels, const kernel_rates& rates) {
  json rows = json::array();
  for (const std::vector<decoder_kernel>& list : kernels)
    for (const decoder_kernel& each : list) {
      const kernel_descriptor& of = each.descriptor;
      const fs_t time = rates.kernel_time(of);
      rows.push_back({{"operator", each.name},
                      {"m", each.m},
                      {"n", each.n},
                      {"k", each.k},
                      {"dtype", name_of(each.type)},
                      {"flops", of.flops},
                      {"bytes", of.bytes},
                      {"time_s", seconds(time)},
                      {"source", of.time > 0 ? "measured" : "roofline"}});
    }
  return rows;
}

std::size_t measured_of(const decoder_kernels& kernels) {
  std::size_t count = 0;
  for (const std::vector<decoder_kernel>& list : kernels)
    for (const decoder_kernel& each : list) count += each.descriptor.time > 0 ? 1 : 0;
  return count;
}

std::size_t count_of(const decoder_kernels& kernels) {
  std::size_t count = 0;
  for (const std::vector<decoder_kernel>& list : kernels) count += list.size();
  return count;
}

json source_fields(const decoder_kernels& kernels) {
  const std::size_t all = count_of(kernels), measured = measured_of(kernels);
  return {{"kernel_times", measured == 0     ? "roofline"
                           : measured == all ? "measured"
                                             : "measured and roofline"},
          {"measured_kernels", measured}};
}

}  // namespace

step_figures inference_job::figures(fs_t simulated) const {
  return {seconds(simulated + recorder_.counted_time()), recorder_.compute_seconds()};
}

void inference_job::describe(workload_result& result) const {
  describe_step(result);
  if (result.time() == 0) return;  // for its title

  const step_figures own = figures(result.time());
  setting_.summary.add(step_.algorithm, step_.number, own);
  const double gain = setting_.summary.gain(step_.algorithm, step_.number);
  result.cells = {{"all layers", 13, format_seconds(own.time)},
                  {"kernels", 13, format_seconds(own.compute)},
                  {"all-reduce", 11, fmt::format("{:>9.1f} %", 100 * own.share())},
                  {"faster", 9, fmt::format("{:>7.3f} x", gain)}};
  json fields = shape_fields(result);
  fields.update(time_fields(own, gain));
  fields.update(source_fields(kernels_));
  fields.update(total_fields(result));
  fields["kernels"] = kernels_json(kernels_, setting_.rates);
  if (result.outcome != verdict::not_checked) {
    result.cells.push_back({"logits off", 11, fmt::format("{:>10.1e}", numeric_.error)});
    fields["logits_error"] = numeric_.error;
    fields["logits_error_bound"] = numeric_.bound;
    fields["logits_digest"] = fmt::format("{:016x}", numeric_.digest);
  }
  result.describe = [fields](json& row) { row.update(fields); };
}

std::string inference_job::size_of_step() const {
  return is_prefill() ? fmt::format("prefill {}", shape_.tokens)
                      : fmt::format("decode {}", shape_.context);
}

// What the step is, also for the title of its run.
void inference_job::describe_step(workload_result& result) const {
  result.name = "inference";
  result.algorithm = config().reduce.algorithms[step_.algorithm];
  result.work = shape_bytes_;  // `bytes` stays 0: the summary compares, with all layers
  result.size = size_of_step();
  result.size_phrase = result.size;
  result.size_heading = "step";
  result.subject = fmt::format("{} {}, {}, batch {}", config().model.name, name_of(config().type),
                               counted(result.ranks, "GPU"), config().batch);
}

json inference_job::shape_fields(const workload_result& result) const {
  return {{"model", config().model.name},
          {"dtype", name_of(config().type)},
          {"step", is_prefill() ? "prefill" : "decode"},
          {"batch", shape_.batch},
          {"tokens", shape_.tokens},
          {"context", shape_.context},
          {"head_size", config().model.head_size()},
          {"kv_heads_of_rank", config().model.kv_heads / result.ranks},
          {"allreduce", chosen_.by->name},
          {"allreduce_bytes", shape_bytes_}};
}

json inference_job::time_fields(const step_figures& own, double gain) const {
  const double allreduces = 2 * static_cast<double>(config().model.layers);
  return {{"layers", config().model.layers},
          {"simulated_layers", recorder_.layers()},
          {"cycle_layers", recorder_.cycle()},
          {"cycle_s", seconds(recorder_.cycle_time())},
          {"step_s", own.time},
          {"kernels_s", own.compute},
          {"allreduce_s", own.allreduce()},
          {"one_allreduce_s", own.allreduce() / allreduces},
          {"allreduce_share", own.share()},
          {"gain", gain}};
}

// With the layers that were counted instead of simulated.
json inference_job::total_fields(const workload_result& result) const {
  const double counted = static_cast<double>(recorder_.counted());
  json fields = {
      {"step_wire_bytes", static_cast<double>(result.wire_bytes) +
                              counted * static_cast<double>(at_.wire_bytes - before_.wire_bytes)}};
  if (const double joules = total_joules(result.energy); joules > 0)
    fields["step_J"] = joules + counted * (at_.joules - before_.joules);
  return fields;
}

}  // namespace heddle
