// What a layer's result says: times of its steps, traffic, and how far both are from the laws.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/workloads/moe/moe_job.hpp"
#include "models/workloads/moe/moe_laws.hpp"
#include "models/workloads/moe/moe_utilization.hpp"
#include "platform/text/counted.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* step_names[token_steps] = {"dispatch", "gemm1", "gemm2", "combine"};

// The figures of the slowest GPU, for the formulas, which have one machine for all.
moe_machine slowest_of(const std::vector<moe_machine>& machines) {
  moe_machine slowest = machines.front();
  for (const moe_machine& each : machines) {
    slowest.wire_rate = std::min(slowest.wire_rate, each.wire_rate);
    slowest.payload_rate = std::min(slowest.payload_rate, each.payload_rate);
    slowest.flops = std::min(slowest.flops, each.flops);
    slowest.hbm_rate = std::min(slowest.hbm_rate, each.hbm_rate);
  }
  return slowest;
}

std::uint64_t tokens_parted(const std::vector<token_hub*>& hubs) {
  std::uint64_t tokens = 0;
  for (const token_hub* each : hubs) tokens += each->tokens_parted();
  return tokens;
}

double length_of(const token_span& span) {
  return span.end > span.begin ? seconds(span.end - span.begin) : 0.0;
}

json routing_fields(const moe_setting& setting, const moe_schedule& schedule) {
  const moe_shape& shape = setting.config.shape;
  return {{"schedule", schedule.name},
          {"pass", moe_pass_names()[static_cast<std::size_t>(setting.config.pass)]},
          {"model", setting.config.model},
          {"topk", shape.topk},
          {"experts", shape.experts},
          {"distinct_gpus", setting.figures.distinct_gpus},
          {"leaving", setting.figures.with_remote},
          {"expert_imbalance", setting.figures.expert_imbalance},
          {"gpu_imbalance", setting.figures.gpu_imbalance}};
}

json step_fields(const token_spans& spans, fs_t start) {
  json steps;
  for (std::size_t step = 0; step < token_steps; ++step) {
    const bool has_run = spans[step].end > 0;
    steps[step_names[step]] = {{"start_s", has_run ? seconds(spans[step].begin - start) : 0.0},
                               {"time_s", length_of(spans[step])}};
  }
  return steps;
}

// For each token: vectors on the wires, and how many of them a network could spare that copies and
// adds, or a collective that knows who needs them.
void add_traffic(json& fields, token_vectors moved, const moe_setting& setting,
                 const moe_shape& shape) {
  const double tokens = static_cast<double>(shape.gpus) * shape.tokens;
  const double scale = 1 / (static_cast<double>(shape.vector_bytes()) * tokens);
  const double smaller =
      static_cast<double>(shape.vector_bytes()) / static_cast<double>(shape.dispatched_bytes());
  moved.dispatch_out *= smaller;
  moved.dispatch_in *= smaller;
  const double all = moved.all() * scale, distinct = setting.figures.distinct_gpus;
  const double needed = 2 * (distinct + setting.figures.with_remote);
  fields["vectors"] = {{"dispatch_out", moved.dispatch_out * scale},
                       {"dispatch_in", moved.dispatch_in * scale},
                       {"combine_out", moved.combine_out * scale},
                       {"combine_in", moved.combine_in * scale},
                       {"all", all}};
  fields["redundant"] = all > 0 ? 1 - needed / all : 0.0;
  fields["useless"] = distinct > 0 ? moved.dispatch_in * scale / distinct - 1 : 0.0;
}

// From the first block of GEMM-1 to the last one of either GEMM.
double computing_time(const token_spans& spans) {
  return length_of({spans[1].begin, std::max(spans[1].end, spans[2].end)});
}

}  // namespace

void moe_job::describe(workload_result& result) const {
  const moe_config& config = setting_.config;
  const moe_machine machine = slowest_of(machines());
  const double distinct = setting_.figures.distinct_gpus, least = bound();
  const double time = seconds(result.time());
  const token_spans spans = spans_of(setting_.hubs);
  const token_vectors moved = vectors() - before_;
  name(result);
  result.law =
      moe_pass_time_law(config.pass, schedule_, config.shape, distinct, machine, config.context);

  json fields = routing_fields(setting_, schedule_);
  fields["law_s"] = result.law;
  fields["capacity_law_s"] = moe_pass_capacity_law(config.pass, schedule_, config.shape, distinct,
                                                   machine, config.context);
  fields["bound_s"] = least;
  fields["max_error"] = max_error_;
  fields["rows_checked"] = rows_checked_;
  fields["parted"] = tokens_parted(setting_.hubs);
  fields["steps"] = step_fields(spans, result.start);
  add_traffic(fields, moved, setting_, shape());
  const moe_utilization mean = utilization_of(setting_.hubs, result.start, result.end, 1);
  fields["utilization"] = {{"sent", mean.sent.front()}, {"received", mean.received.front()}};
  if (setting_.first_time == 0) setting_.first_time = time;
  fields["gain"] = time > 0 ? setting_.first_time / time : 0.0;
  fields["of_bound"] = time > 0 ? least / time : 0.0;
  if (parts() == 1)
    fields["communication_share"] = time > 0 ? 1 - computing_time(spans) / time : 0.0;
  fields["payload_Bps"] = time > 0 ? moved.all() / time : 0.0;
  result.cells = {{"vectors", 9, fmt::format("{:>9.2f}", fields["vectors"]["all"].get<double>())},
                  {"dispatch", 11, fmt::format("{:>8.1f} us", 1e6 * length_of(spans[0]))},
                  {"combine", 11, fmt::format("{:>8.1f} us", 1e6 * length_of(spans[3]))}};
  result.describe = [fields](json& row) { row.update(fields); };
  draw(result);
}

void moe_job::name(workload_result& result) const {
  const moe_config& config = setting_.config;
  result.name = "moe_layer";
  result.algorithm = schedule_.name;
  result.bytes = result.work = bytes();
  result.size = fmt::format("{} x {}", shape().tokens, shape().hidden);
  result.size_phrase = "of " + result.size;
  result.size_heading = "tokens";
  result.subject =
      fmt::format("{}moe_layer, {}, {}, topk {}, d {:.2f}",
                  config.model.empty() ? "" : config.model + " ", counted(shape().gpus, "GPU"),
                  counted(shape().experts, "expert"), shape().topk, setting_.figures.distinct_gpus);
}

}  // namespace heddle
