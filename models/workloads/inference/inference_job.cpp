#include "models/workloads/inference/inference_job.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "models/workloads/collective/collective_fit.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "models/workloads/collective/wire_load.hpp"
#include "models/workloads/inference/sharded_decoder.hpp"
#include "models/workloads/inference/step_timeline.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/memory_room.hpp"

namespace heddle {
namespace {

collective_case case_of(const inference_config& config, const workload_context& context,
                        std::uint64_t bytes) {
  collective_case what;
  what.type = config.reduce.type;
  what.op = config.reduce.op;
  what.groups = groups_among(config.reduce, context.cores);
  what.ranks = what.groups.size;
  what.bytes = bytes;
  what.quant = config.reduce.quant;
  what.may_quantize = config.reduce.may_quantize;
  what.pod = ranks_of_pods(context);
  what.payload_rate = payload_rate_of(context.cores, context.sim);
  return what;
}

}  // namespace

inference_job::inference_job(const workload_context& context, inference_setting& setting,
                             const inference_step& step, std::uint32_t number)
    : context_(context),
      setting_(setting),
      step_(step),
      shape_(setting.config.shape_of(step.number)),
      shape_bytes_(allreduce_bytes(setting.config.model, shape_)),
      kernels_(kernels_of(setting.config.model, shape_, setting.config.type,
                          context.cores.ranks.size(), setting.rates)),
      case_(case_of(setting.config, context, shape_bytes_)),
      recorder_(context.cores.ranks.size(), static_cast<std::uint32_t>(setting.config.model.layers),
                !setting.config.simulates_all && !setting.decoder) {
  setting.measured.apply(kernels_);
  const workload_cores& cores = context.cores;
  const collective_config& reduce = config().reduce;
  // The instructions of accelerators are pushed while kernels run: they take no time of their own.
  collective_config estimated = reduce;
  estimated.is_on_demand = false;
  const std::string name = algorithm_of_step(reduce.algorithms[step.algorithm], step.number == 0);
  chosen_ = choose_algorithm(name, case_, estimated, cores, context.sim);
  reduce_ = fitting_job(reduce, *chosen_.by, case_, context, number);
  find_room();
}

inference_job::~inference_job() {
  for (kernel_engine* each : setting_.engines) each->tell(nullptr, 0);
}

// Lists of kernels lie behind what the all-reduces need.
void inference_job::find_room() {
  const workload_cores& cores = context_.cores;
  const rank_resources first = cores.ranks.front()->resources();
  constexpr std::uint64_t alignment = 64;
  std::uint64_t next = (memory_of(reduce_, case_.ranks) + alignment - 1) / alignment * alignment;
  for (std::size_t list = 0; list < kernels_.size(); ++list) {
    plan_.lists[list] = next;
    plan_.kernels[list] = static_cast<std::uint32_t>(kernels_[list].size());
    next += kernels_[list].size() * sizeof(kernel_descriptor);
  }
  plan_.layers = recorder_.layers();
  if (next > first.window_bytes)
    throw user_error(
        config().place,
        fmt::format("a step needs {} of a memory, {} has {}", format_bytes(next),
                    cores.ranks.front()->rank_path(), format_bytes(first.window_bytes)));
  check_room(context_, next, "a step");
}

void inference_job::post() {
  if (setting_.decoder) setting_.decoder->begin_step(step_.number, shape_.tokens);
  const rank_memory layout = memory_of(context_.cores);
  for (std::size_t rank = 0; rank < context_.cores.ranks.size(); ++rank) {
    rank_core& core = *context_.cores.ranks[rank];
    const std::uint64_t window = core.resources().window;
    inference_plan own = plan_;
    for (std::size_t list = 0; list < kernels_.size(); ++list) {
      own.lists[list] += window;
      std::vector<kernel_descriptor> descriptors;
      for (const decoder_kernel& each : kernels_[list]) descriptors.push_back(each.descriptor);
      core.debug_write(own.lists[list], descriptors.data(),
                       descriptors.size() * sizeof(kernel_descriptor));
    }
    core.debug_write(window + layout.job, &reduce_, sizeof reduce_);
    core.debug_write(window + layout.job + INFERENCE_PLAN_OFFSET, &own, sizeof own);
    setting_.engines[rank]->tell(this, static_cast<std::uint32_t>(rank));
  }
  for (rank_core* each : context_.cores.setup)
    each->debug_write(each->resources().window + layout.job, &reduce_, sizeof reduce_);
}

// All ranks are in a layer: they read it before the next one.
void inference_job::write_layers() {
  const std::uint64_t at =
      memory_of(context_.cores).job + INFERENCE_PLAN_OFFSET + offsetof(inference_plan, layers);
  const std::uint32_t layers = recorder_.layers();
  for (rank_core* each : context_.cores.ranks)
    each->debug_write(each->resources().window + at, &layers, sizeof layers);
}

void inference_job::list_begins(std::uint32_t rank, std::uint32_t tag, fs_t when) {
  if (setting_.decoder && tag > INFERENCE_TAG(0, INFERENCE_ATTENTION)) take_sum(rank);
  const bool was_steady = recorder_.counted() > 0;
  if (!recorder_.list_begins(rank, tag, when) || was_steady) return;
  before_ = at_;
  at_ = {context_.sim.service<link_directory>().wire_bytes(),
         total_joules(context_.sim.service<energy_book>().shares())};
  if (recorder_.counted() > 0) write_layers();
}

void inference_job::kernel_ended(std::uint32_t rank, std::uint32_t tag, std::uint32_t index,
                                 fs_t begin, fs_t end) {
  recorder_.kernel_ended(rank, tag, index, begin, end);
}

void inference_job::list_ended(std::uint32_t rank, std::uint32_t tag, fs_t when) {
  recorder_.list_ended(rank, tag, when);
  if (setting_.decoder) compute(rank, tag);
}

// Writes the drawing of a step. Of several steps by one algorithm the prefill and the last token
// stay.
void inference_job::save() {
  if (context_.directory.empty()) return;
  const std::string algorithm = config().reduce.algorithms[step_.algorithm];
  step_timeline drawn;
  drawn.title = fmt::format("{} {}, {} ranks, batch {}, {}, all-reduces by {}: a layer",
                            config().model.name, name_of(config().type),
                            context_.cores.ranks.size(), config().batch, size_of_step(), algorithm);
  for (const std::uint32_t list : {INFERENCE_ATTENTION, INFERENCE_MLP}) {
    std::vector<std::string>& names = drawn.names[list];
    for (const decoder_kernel& each : kernels_[list]) names.push_back(each.name);
  }
  drawn.ranks = recorder_.last_layer();
  drawn.end = recorder_.last_layer_end();
  output_file file(fmt::format("{}/inference_{}_{}.svg", context_.directory, algorithm,
                               step_.number == 0 ? "prefill" : "decode"));
  file.write(timeline_plot(drawn));
  file.commit();
}

}  // namespace heddle
