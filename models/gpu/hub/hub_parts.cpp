// Parts of a layer: a training step has a forward and a backward one, which go through all steps
// one after the other, or at the same time. Attention comes before a forward part and after a
// backward one.
#include "models/gpu/hub/token_hub.hpp"

namespace heddle {

void token_hub::begin_part(std::uint32_t part) {
  if (has_attention() && !is_backward(part))
    attend(part);
  else
    open_part(part);
}

// Its own tokens may leave.
void token_hub::open_part(std::uint32_t part) {
  part_states_[part].is_open = true;
  spans_[0].cover(now_fs());
  pump();
}

// On SMs of its own, as a kernel that runs alone; or beside GEMMs, in blocks that share their SMs.
void token_hub::attend(std::uint32_t part) {
  constexpr std::uint32_t blocks_of_sm = 8;
  const bool is_alone = layer_.attention_sms != 0;
  const double times = is_backward(part) ? 2 : 1;
  sm_batch batch;
  batch.tag = part;
  batch.blocks =
      is_alone ? layer_.attention_sms : blocks_of_sm * (layer_.gemm1_sms + layer_.gemm2_sms);
  batch.block_flops = times * static_cast<double>(layer_.attention_flops) / batch.blocks;
  batch.operands = attention_operands - part;
  batch.operand_bytes = static_cast<std::uint64_t>(times) * layer_.attention_bytes;
  pool_.submit(attention_group, batch);
}

void token_hub::attended(std::uint32_t part) {
  if (is_backward(part))
    end_part();
  else
    open_part(part);
}

// An own token has its result.
void token_hub::token_done(std::uint32_t own) {
  const std::uint32_t part = part_of_token(own);
  if (--part_states_[part].tokens_left > 0) return;
  if (has_attention() && is_backward(part))
    attend(part);
  else
    end_part();
}

void token_hub::end_part() {
  ++parts_done_;
  if (layer_.overlaps == 0 && parts_done_ < layer_.parts) begin_part(parts_done_);
  finish_if_done();
}

}  // namespace heddle
