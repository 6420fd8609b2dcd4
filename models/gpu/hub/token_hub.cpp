#include "models/gpu/hub/token_hub.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "models/gpu/hub/layer_check.hpp"
#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(token_hub,
                     describe_unit<token_hub>("token_hub",
                                              "hub of a GPU that runs mixture-of-experts "
                                              "layers with dynamic multimem",
                                              token_hub_regs::markdown));

}  // namespace

std::vector<port_description> token_hub::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "memory of the GPU"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"},
          {"port[ports]", "packet", "one link a plane"}};
}

// Parts only keep references to those that are made after them.
token_hub::token_hub(const unit_context& context, const parameters& p)
    : unit(context),
      core_(*this, context, p),
      tracker_(p.tracker()),
      lists_(core_),
      packer_(core_, wires_, dispatch_, blocks_),
      mover_(core_, wires_, dispatch_, packer_, results_, run_),
      dispatch_(core_, lists_, mover_, blocks_, tiles_, returns_, combine_, groups_, parts_),
      combine_(core_, tracker_, lists_, dispatch_, blocks_, groups_, mover_, results_, run_),
      results_(core_, lists_, groups_, parts_, run_),
      notices_(core_, wires_, combine_, run_),
      blocks_(core_, p.layout(), tracker_),
      target_(core_, wires_, blocks_, dispatch_, tiles_, returns_, results_),
      rows_(core_, tracker_),
      tiles_(core_, tracker_, groups_, returns_, run_),
      returns_(core_, tracker_, combine_, notices_, mover_),
      sms_(core_, *this, p.rates(), tracker_, blocks_, rows_, tiles_, parts_),
      parts_(core_, sms_, mover_, run_),
      groups_(core_, lists_, tracker_, dispatch_, combine_, sms_, mover_),
      run_(core_, {wires_, notices_, tracker_, blocks_, mover_, combine_, results_, tiles_, sms_,
                   parts_, groups_}),
      wires_(core_, *this, static_cast<int>(p.ports()), mover_, target_, notices_) {
  core_.registers.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  sim().service<token_hub_directory>().hubs.push_back(this);
}

void token_hub::start() {
  if (!core_.status.is_idle())
    return core_.registers.report(core_.registers.start,
                                  "started while a layer was under way, or has failed");
  if (!read_layer()) return core_.layer.clear();
  configure();
  run_.start();
}

// Reads what firmware describes, and checks it. False: the hub has refused it.
bool token_hub::read_layer() {
  layer_map& layer = core_.layer;
  layer.clear();
  auto* const descriptor = static_cast<token_layer*>(&layer);
  if (!core_.memory.debug(tlm::TLM_READ_COMMAND, core_.registers.layer.value(), descriptor,
                          sizeof *descriptor))
    return false;
  const layer_check check(core_.settings, sim().service<fabric>());
  const bool is_described = check.is_sensible(layer);
  const std::string unreached = is_described ? check.unreached(layer, wires_) : "";
  if (!unreached.empty()) {
    core_.status.fail(layer_status::error::BAD_LAYER, 0, 0, "no port leads to " + unreached);
    return false;
  }
  if (is_described && !read_tables()) return false;
  const bool is_layer = is_described && layer_check::are_counts_sensible(layer);
  if (!is_layer) core_.status.fail(layer_status::error::BAD_LAYER, 0, 0);
  return is_layer;
}

bool token_hub::read_tables() {
  layer_map& layer = core_.layer;
  if (!lists_.read()) return false;
  std::vector<std::uint32_t>& counts = layer.block_tokens;
  counts.assign(std::size_t{layer.chunks} * layer.experts_per_gpu, 0);
  return core_.memory.debug(tlm::TLM_READ_COMMAND, layer.counts, counts.data(),
                            counts.size() * sizeof(std::uint32_t));
}

void token_hub::configure() {
  core_.layer.place_blocks();
  core_.peers.configure();
  configure_tracker();
  dispatch_.configure();
  combine_.configure();
  results_.configure();
  blocks_.configure();
  rows_.clear();
  tiles_.configure();
  returns_.configure();
  sms_.configure();
  parts_.configure();
  groups_.configure();
  mover_.configure();
  core_.spans = {};
}

void token_hub::configure_tracker() {
  const layer_map& layer = core_.layer;
  std::vector<std::uint16_t> experts_of_token;
  for (std::uint32_t own = 0; own < layer.tokens; ++own)
    experts_of_token.push_back(static_cast<std::uint16_t>(lists_.of(own).count));
  tracker_.configure(layer.block_tokens, layer.tile, layer.bsize(token_stage::dispatch),
                     std::move(experts_of_token));
}

std::string token_hub::waiting_for() const {
  if (!core_.status.is_busy()) return {};
  if (!core_.status.is_running()) return fmt::format("counts of {} GPUs", run_.missing_counts());
  const std::uint32_t tokens = core_.layer.tokens, rows = tracker_.rows();
  const bool is_all_done = results_.tokens_done() == tokens && tiles_.rows_done() == rows;
  if (is_all_done && !combine_.has_heard_of_all())
    return "experts that are not done with " + counted(combine_.unheard(), "own token");
  return fmt::format("{} of {} own tokens, {} of {} rows of own experts",
                     tokens - results_.tokens_done(), tokens, rows - tiles_.rows_done(), rows);
}

token_vectors token_hub::vectors() const {
  const token_hub_counters& counted = core_.counters;
  const auto of = [](const statistic& each) { return static_cast<double>(each.raw()); };
  return {of(counted.dispatch_out), of(counted.dispatch_in), of(counted.combine_out),
          of(counted.combine_in)};
}

}  // namespace heddle
