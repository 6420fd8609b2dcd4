#include "models/gpu/hub/layer_parts.hpp"

#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/sm_groups.hpp"
#include "models/gpu/hub/vector_mover.hpp"

namespace heddle {

void layer_parts::configure() {
  states_.assign(layer_.parts, {layer_.tokens / layer_.parts, false});
  done_ = 0;
}

void layer_parts::begin() {
  begin(0);
  if (layer_.overlaps != 0 && layer_.parts > 1) begin(1);
}

void layer_parts::begin(std::uint32_t part) {
  if (layer_.has_attention() && !layer_.is_backward(part))
    sms_.attend(part);
  else
    open(part);
}

void layer_parts::open(std::uint32_t part) {
  states_[part].is_open = true;
  span(token_step::dispatch).cover(now_fs());
  mover_.pump();
}

void layer_parts::attended(std::uint32_t part) {
  if (layer_.is_backward(part))
    end();
  else
    open(part);
}

void layer_parts::token_done(std::uint32_t own) {
  const std::uint32_t part = layer_.part_of_token(own);
  if (--states_[part].tokens_left > 0) return;
  if (layer_.has_attention() && layer_.is_backward(part))
    sms_.attend(part);
  else
    end();
}

void layer_parts::end() {
  ++done_;
  if (layer_.overlaps == 0 && done_ < layer_.parts) begin(done_);
  run_.finish_if_done();
}

}  // namespace heddle
