#include "models/workloads/moe/moe_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double backward_work = 2;  // times the operations of the forward pass

// Seconds of one vector on all links of a GPU: its packets, and the headers the other way.
struct vector_cost {
  double data = 0, headers = 0;
};

struct gpu_costs {
  vector_cost dispatch, combine;
  double product = 0;  // s, of one token and one expert
  double attending = 0;
};

vector_cost cost_of(std::uint64_t vector_bytes, const moe_machine& machine) {
  const auto bytes = static_cast<double>(vector_bytes);
  const double headers =
      std::ceil(bytes / machine.packet_payload) * machine.packet_header / machine.wire_rate;
  return {bytes / machine.wire_rate + headers, headers};
}

gpu_costs costs_of(const moe_shape& shape, const moe_machine& machine,
                   const moe_attention& attention) {
  gpu_costs costs;
  costs.dispatch = cost_of(shape.dispatched_bytes(), machine);
  costs.combine = cost_of(shape.vector_bytes(), machine);
  costs.product = 2.0 * shape.matrices() * shape.hidden * shape.ffn / machine.flops;
  costs.attending = std::max(attention.flops / machine.flops, attention.bytes / machine.hbm_rate);
  return costs;
}

// One part of a pass. With `counts_late` its end is the end of everything that it sends; without,
// that of the last result only, after which acknowledgments may still be on their way.
class part_bound {
 public:
  part_bound(const moe_schedule& schedule, const moe_shape& shape, const moe_loads& loads,
             const std::vector<gpu_costs>& costs, double work, bool counts_late)
      : schedule_(schedule),
        shape_(shape),
        loads_(loads),
        costs_(costs),
        work_(work),
        counts_late_(counts_late) {
    for (std::uint32_t gpu = 0; gpu < loads.gpus(); ++gpu) {
      const std::vector<bool>& served = loads.serves[gpu];
      sources_.push_back(static_cast<double>(std::count(served.begin(), served.end(), true)));
      all_.push_back(loads.of(gpu));
      computed_.push_back(computed(gpu));
    }
    for (std::uint32_t gpu = 0; gpu < loads.gpus(); ++gpu) returns_.push_back(first_return(gpu));
  }

  // All GPUs are done.
  double whole() const {
    double latest = std::max(wires(), gathered());
    for (std::uint32_t gpu = 0; gpu < loads_.gpus(); ++gpu)
      latest = std::max({latest, multiplying(gpu), own_tokens(gpu), returned(gpu)});
    return latest;
  }
  // Some GPU has the results of its own tokens.
  double earliest() const {
    double first = never;
    for (std::uint32_t gpu = 0; gpu < loads_.gpus(); ++gpu)
      first = std::min(first, own_tokens(gpu));
    return first;
  }
  // Of the fullest direction of a GPU.
  double wires() const {
    double longest = 0;
    for (std::uint32_t gpu = 0; gpu < loads_.gpus(); ++gpu) {
      const moe_load& load = all_[gpu];
      const vector_cost &out = costs_[gpu].dispatch, &back = costs_[gpu].combine;
      const double sent = load.sent + (counts_late_ ? load.unasked : 0);
      const double arrived = load.wanted + (counts_late_ ? load.unwanted : 0);
      const double stored = counts_late_ ? out.headers : 0;  // headers of acknowledgments
      const double answered = answer_cost(gpu);
      longest = std::max(
          {longest,
           sent * out.data + arrived * stored + load.returned * back.data + load.summed * answered,
           arrived * out.data + sent * stored + load.summed * back.data +
               load.returned * answered});
    }
    return longest;
  }
  double multiplying(std::uint32_t gpu) const {
    return work_ * all_[gpu].products * costs_[gpu].product;
  }

 private:
  bool is_fused() const {
    return schedule_.gemm1 == moe_start::tile && schedule_.gemm2 == moe_start::tile;
  }
  bool has_stages() const { return schedule_.gemm1 == moe_start::stage; }
  bool is_for_all() const { return schedule_.traffic == moe_traffic::everybody; }

  // Requests for results come before these, acknowledgments of results after them.
  double answer_cost(std::uint32_t gpu) const {
    const bool fetches = schedule_.traffic != moe_traffic::copies;
    return fetches || counts_late_ ? costs_[gpu].combine.headers : 0;
  }

  // Before GEMM-1 of a chunk, where it waits for the whole dispatch: own vectors have been
  // acknowledged, and those for own experts are there.
  double dispatched(std::uint32_t gpu, const moe_load& load) const {
    const vector_cost& cost = costs_[gpu].dispatch;
    const double sent = load.sent + load.unasked;
    return std::max(sent * cost.data, load.wanted * cost.data + sent * cost.headers);
  }

  // Before the GPU's experts return the first result, or where the tokens go in chunks, the last.
  double computed(std::uint32_t gpu) const {
    const moe_load& load = all_[gpu];
    if (load.products == 0) return load.sent * costs_[gpu].dispatch.data;
    if (is_fused()) return 0;
    if (!has_stages()) {  // GEMM-1 beside the dispatch; GEMM-2 has one matrix
      const double first_gemm = 1 - 1.0 / shape_.matrices();
      return std::max(load.wanted * costs_[gpu].dispatch.data, first_gemm * multiplying(gpu));
    }
    double first_chunk = never;
    for (const moe_load& each : loads_.of_chunk[gpu])
      if (each.products > 0) first_chunk = std::min(first_chunk, dispatched(gpu, each));
    return first_chunk + multiplying(gpu);
  }

  // Before the first result of an own token arrives. A fetch waits for the experts of all tokens
  // of its stage; a copy comes by itself.
  double first_return(std::uint32_t gpu) const {
    if (is_fused() || schedule_.chunks > 1) return 0;
    const bool waits_for_all =
        schedule_.traffic != moe_traffic::copies && schedule_.combine == moe_start::stage;
    double first = never, last = 0;
    for (std::uint32_t other = 0; other < loads_.gpus(); ++other) {
      if (!loads_.serves[other][gpu]) continue;
      first = std::min(first, computed_[other]);
      last = std::max(last, computed_[other]);
    }
    return first == never ? 0 : waits_for_all ? last : first;
  }

  double own_tokens(std::uint32_t gpu) const {
    const moe_load& load = all_[gpu];
    return std::max(load.sent * costs_[gpu].dispatch.data,
                    returns_[gpu] + load.summed * costs_[gpu].combine.data);
  }

  // All that leaves and arrives after the GEMMs: what this GPU returns waits for its own experts,
  // what it gets for those of others.
  double returned(std::uint32_t gpu) const {
    const moe_load& load = all_[gpu];
    const vector_cost& cost = costs_[gpu].combine;
    const double ready = computed_[gpu];
    if (is_fused()) return ready;
    if (schedule_.chunks > 1) return ready + least_returned(gpu);
    const double gemm2 =
        has_stages() || load.products == 0 ? 0 : multiplying(gpu) / shape_.matrices();
    const double own = is_for_all() ? tokens_served(gpu, gpu) : load.returned;
    const double answers = answer_cost(gpu);
    const auto after = [&](double ours, double theirs) {
      return std::max(
          {ready + ours, returns_[gpu] + theirs, std::min(ready, returns_[gpu]) + ours + theirs});
    };
    return std::max({ready + gemm2, after(own * cost.data, load.summed * answers),
                     after(own * answers, load.summed * cost.data)});
  }

  // Whichever chunk of the GPU's experts is done last.
  double least_returned(std::uint32_t gpu) const {
    double least = never;
    for (const moe_load& each : loads_.of_chunk[gpu])
      if (each.products > 0) least = std::min(least, each.returned);
    return least == never ? 0 : least * costs_[gpu].combine.data;
  }

  // Tokens of other GPUs than `returning` that have an expert on `serving`.
  double tokens_served(std::uint32_t serving, std::uint32_t returning) const {
    const double own = loads_.serves[serving][returning] ? 1 : 0;
    return (sources_[serving] - own) * shape_.tokens;
  }

  // Where everything goes to everybody, the last GPU that begins GEMM-1 does so when all vectors
  // are everywhere, and whoever has a token there has all GPUs return results after that. GPUs
  // without any token begin nothing.
  double gathered() const {
    if (!is_for_all()) return 0;
    double gathering = 0, rest = never;
    for (std::uint32_t gpu = 0; gpu < loads_.gpus(); ++gpu) {
      if (all_[gpu].products == 0) return 0;
      const moe_load& load = all_[gpu];
      const vector_cost& cost = costs_[gpu].dispatch;
      const double sent = load.sent + load.unasked, arrived = load.wanted + load.unwanted;
      gathering = std::max({gathering, sent * cost.data + arrived * cost.headers,
                            arrived * cost.data + sent * cost.headers});
      double scattering = 0;
      for (std::uint32_t returning = 0; returning < loads_.gpus(); ++returning)
        scattering =
            std::max(scattering, tokens_served(gpu, returning) * costs_[returning].combine.data);
      rest = std::min(rest, multiplying(gpu) + scattering);
    }
    return gathering + rest;
  }

  const moe_schedule& schedule_;
  const moe_shape& shape_;
  const moe_loads& loads_;
  const std::vector<gpu_costs>& costs_;
  const double work_;
  const bool counts_late_;
  // By GPU.
  std::vector<double> sources_;  // GPUs whose tokens its experts have
  std::vector<moe_load> all_;
  std::vector<double> computed_, returns_;  // s
};

double least_attending(const std::vector<gpu_costs>& costs) {
  double least = never;
  for (const gpu_costs& each : costs) least = std::min(least, each.attending);
  return least;
}

// A forward and a backward pass. A GPU begins the second when its own tokens of the first are done,
// and ends with the attention of the second; both may attend on SMs of their own.
double training_bound(const moe_schedule& schedule, const moe_shape& shape, const moe_loads& loads,
                      const std::vector<gpu_costs>& costs) {
  const part_bound forward(schedule, shape, loads, costs, 1, false);
  const part_bound backward(schedule, shape, loads, costs, backward_work, false);
  const double all_wires = 2 * part_bound(schedule, shape, loads, costs, 1, true).wires();
  const double least = least_attending(costs), least_both = (1 + backward_work) * least;
  double multiplying = 0, attending = 0, sharing_sms = 0;
  for (std::uint32_t gpu = 0; gpu < loads.gpus(); ++gpu) {
    const double gemms = forward.multiplying(gpu) + backward.multiplying(gpu);
    const double attention = (1 + backward_work) * costs[gpu].attending;
    multiplying = std::max(multiplying, gemms);
    attending = std::max(attending, attention);
    sharing_sms = std::max(sharing_sms, gemms + attention);
  }
  if (schedule.overlaps_parts) return std::max(all_wires, sharing_sms);
  const double layers =
      std::max({multiplying, 2 * forward.wires(), forward.whole() + backward.earliest(),
                forward.earliest() + backward.whole()});
  return std::max({attending, least + all_wires, least_both + layers});
}

}  // namespace

double moe_bound(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                 const moe_loads& loads, const std::vector<moe_machine>& machines,
                 std::uint32_t context) {
  std::vector<gpu_costs> costs;
  for (const moe_machine& each : machines)
    costs.push_back(costs_of(shape, each, attention_of(pass, shape, context)));
  if (pass == moe_pass::training) return training_bound(schedule, shape, loads, costs);
  const double work = pass == moe_pass::backward ? backward_work : 1;
  double bound =
      least_attending(costs) + part_bound(schedule, shape, loads, costs, work, true).whole();
  // A GPU sends nothing of its own before it has attended, and the others need not wait for it.
  for (std::uint32_t gpu = 0; gpu < loads.gpus(); ++gpu) {
    const moe_load own = loads.of(gpu);
    bound = std::max(bound, costs[gpu].attending + std::max(own.sent * costs[gpu].dispatch.data,
                                                            own.summed * costs[gpu].combine.data));
  }
  return bound;
}

std::string impossibility(double time_s, double bound_s) {
  constexpr double rounding = 1.0001;  // of blocks and packets to whole femtoseconds
  if (time_s * rounding >= bound_s) return {};
  const auto text = [](double time) {
    return format_duration(static_cast<std::uint64_t>(std::llround(time * 1e15)));
  };
  return fmt::format("it took {}, and the wires and SMs of its GPUs take {} at least", text(time_s),
                     text(bound_s));
}

}  // namespace heddle
