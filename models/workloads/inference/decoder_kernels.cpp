#include "models/workloads/inference/decoder_kernels.hpp"

#include <algorithm>

#include "models/workloads/inference/attention_blocks.hpp"
#include "models/workloads/inference/fastest_kernel.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t half = 2;  // bytes of FP16

// Writes down the kernels of a step.
class kernel_list {
 public:
  kernel_list(const decoder_model& model, const decoder_step& step, weight_type type,
              std::uint64_t ranks, const kernel_rates& rates)
      : model_(model), step_(step), type_(type), ranks_(ranks), rates_(rates) {}

  decoder_kernels all() {
    std::vector<decoder_kernel>& begin = lists_[INFERENCE_BEGIN];
    begin.push_back(streamed("embedding", model_.hidden, 2 * half * model_.hidden));
    attention_half(lists_[INFERENCE_ATTENTION]);
    mlp_half(lists_[INFERENCE_MLP]);
    std::vector<decoder_kernel>& end = lists_[INFERENCE_END];
    // The last token of each sequence alone.
    decoder_kernel norm = this->norm("final_norm", half);
    norm.m = step_.batch;
    norm.descriptor.bytes = norm.descriptor.bytes / step_.rows() * step_.batch;
    end.push_back(norm);
    end.push_back(gemm("lm_head", step_.batch, parts(model_.vocabulary, ranks_), model_.hidden,
                       weight_type::fp16));
    return lists_;
  }

 private:
  void attention_half(std::vector<decoder_kernel>& list) {
    const std::uint64_t rows = step_.rows();
    const std::uint64_t width = (model_.hidden + 2 * model_.kv_size()) / ranks_;
    list.push_back(norm("input_norm", size_of(type_)));
    list.push_back(gemm("qkv", rows, width, model_.hidden, type_));
    list.push_back(streamed("rope", width, 2 * half * width));
    list.push_back(attention());
    list.push_back(gemm("output", rows, model_.hidden, model_.hidden / ranks_, type_));
  }
  void mlp_half(std::vector<decoder_kernel>& list) {
    const std::uint64_t rows = step_.rows(), width = model_.intermediate / ranks_;
    list.push_back(norm("post_norm", size_of(type_)));
    list.push_back(gemm("gate_up", rows, 2 * width, model_.hidden, type_));
    list.push_back(streamed("silu_mul", width, (2 * half + size_of(type_)) * width));
    list.push_back(gemm("down", rows, model_.hidden, width, type_));
  }

  // Bound by HBM: so many bytes a row.
  decoder_kernel streamed(const char* name, std::uint64_t columns, std::uint64_t row_bytes) const {
    decoder_kernel result;
    result.name = name;
    result.m = step_.rows();
    result.n = columns;
    result.k = 1;
    result.descriptor.blocks = static_cast<std::uint32_t>(rates_.sms);
    result.descriptor.bytes = row_bytes * result.m;
    return result;
  }
  // Reads sum and residual, writes the new residual and its norm.
  decoder_kernel norm(const char* name, std::uint64_t bytes_of_result) const {
    return streamed(name, model_.hidden, (3 * half + bytes_of_result) * model_.hidden);
  }

  decoder_kernel gemm(const char* name, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                      weight_type type) const {
    decoder_kernel result;
    result.name = name;
    result.m = m;
    result.n = n;
    result.k = k;
    result.type = type;
    result.descriptor.flops = 2 * m * n * k;
    result.descriptor.precision = type == weight_type::fp8 ? KERNEL_FP8 : KERNEL_FP16;
    result.descriptor.bytes = size_of(type) * (m * k + n * k) + half * m * n;
    choose_tile(result);
    return result;
  }
  void choose_tile(decoder_kernel& of) const {
    fastest_kernel fastest(rates_);
    kernel_descriptor tried = of.descriptor;
    for (const std::uint64_t rows : {16, 32, 64, 128, 256})
      for (const std::uint64_t columns : {64, 128, 256})
        for (const std::uint64_t splits : {1, 2, 4, 8, 16}) {
          constexpr std::uint64_t largest_tile = 256 * 128, shortest_sum = 256;
          const std::uint64_t depth = parts(of.k, splits);
          if (rows * columns > largest_tile || (splits > 1 && depth < shortest_sum)) continue;
          tried.blocks =
              static_cast<std::uint32_t>(parts(of.m, rows) * parts(of.n, columns) * splits);
          tried.block_flops = 2 * rows * columns * depth;
          tried.block_bytes = l2_bytes(rows, columns, depth, splits, of.type);
          fastest.offer(tried);
        }
    of.descriptor = fastest.chosen();
  }
  // Operands come once a tile, for two tiles beside each other together (thread-block clusters of
  // two); sums of splits are written and read in FP32.
  static std::uint64_t l2_bytes(std::uint64_t rows, std::uint64_t columns, std::uint64_t depth,
                                std::uint64_t splits, weight_type type) {
    const std::uint64_t shared = std::min(rows, columns), own = std::max(rows, columns);
    const std::uint64_t operands = (shared + own / 2) * depth * size_of(type);
    constexpr std::uint64_t written_and_read = 8;
    return operands + (splits > 1 ? written_and_read * rows * columns : half * rows * columns);
  }

  decoder_kernel attention() const {
    const std::uint64_t heads = model_.heads / ranks_, kv_heads = model_.kv_heads / ranks_;
    const std::uint64_t width = heads * model_.head_size(), kv = kv_heads * model_.head_size();
    decoder_kernel result;
    result.name = "attention";
    result.m = step_.rows();
    result.n = step_.context;
    result.k = width;
    // Pairs of a query and a key that it may see.
    const std::uint64_t before = step_.context - step_.tokens;
    const std::uint64_t pairs = step_.tokens * before + step_.tokens * (step_.tokens + 1) / 2;
    kernel_descriptor known{};
    known.flops = 4 * step_.batch * pairs * width;
    known.bytes = half * (2 * step_.rows() * width + 2 * step_.batch * step_.context * kv);
    const attention_shape shape{step_.batch, step_.tokens, step_.context,
                                heads,       kv_heads,     model_.head_size()};
    result.descriptor = with_attention_blocks(known, shape, rates_);
    return result;
  }

  const decoder_model& model_;
  const decoder_step& step_;
  const weight_type type_;
  const std::uint64_t ranks_;
  const kernel_rates& rates_;
  decoder_kernels lists_;
};

}  // namespace

const std::vector<std::string>& decoder_kernel_names() {
  static const std::vector<std::string> names = {
      "embedding", "input_norm", "qkv",      "rope", "attention",  "output",
      "post_norm", "gate_up",    "silu_mul", "down", "final_norm", "lm_head"};
  return names;
}

decoder_kernels kernels_of(const decoder_model& model, const decoder_step& step, weight_type type,
                           std::uint64_t ranks, const kernel_rates& rates) {
  decoder_kernels lists = kernel_list(model, step, type, ranks, rates).all();
  for (std::vector<decoder_kernel>& list : lists)
    for (decoder_kernel& each : list) each.name.copy(each.descriptor.name, KERNEL_NAME_BYTES - 1);
  return lists;
}

fs_t time_of(const std::vector<decoder_kernel>& kernels, const kernel_rates& rates) {
  fs_t sum = 0;
  for (const decoder_kernel& each : kernels) sum += rates.kernel_time(each.descriptor);
  return sum;
}

}  // namespace heddle
