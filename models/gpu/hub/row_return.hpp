// What happens to a row that own experts are done with: the sources of its tokens are told, or,
// where GPUs copy, each token for which this GPU has nothing more to do goes back as one vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/token_tracker.hpp"

namespace heddle {

class token_combine;
class token_notices;
class vector_mover;

class row_return final : private hub_part {
 public:
  // `combine`: own tokens, and parts of others' results. `notices`: to other GPUs.
  row_return(hub_core& core, const token_tracker& tracker, token_combine& combine,
             token_notices& notices, vector_mover& mover)
      : hub_part(core), tracker_(tracker), combine_(combine), notices_(notices), mover_(mover) {}

  void configure();
  // The token goes to so many experts of this GPU.
  void expect(std::uint32_t token, std::size_t experts) {
    if (layer_.traffic == TOKEN_COPIES) pending_[token] = static_cast<std::uint16_t>(experts);
  }
  void release(std::uint32_t row);

 private:
  void return_parts(std::uint32_t row);
  void tell_sources(std::uint32_t row);

  const token_tracker& tracker_;
  token_combine& combine_;
  token_notices& notices_;
  vector_mover& mover_;
  std::vector<std::uint16_t> pending_;  // own experts that are not done, by token (copies)
};

}  // namespace heddle
