#include "platform/tensor/accumulate.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "platform/tensor/convert.hpp"

namespace heddle {
namespace {

constexpr std::size_t block = 512;  // elements; eight operands of fp32 stay in the first cache

// Neighbors meet level by level. Returns the leaf that the result is in.
template <class Meet>
std::size_t fold(std::vector<bool> is_present, Meet meet) {
  std::vector<std::size_t> at(is_present.size());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  for (std::size_t stride = 1; stride < at.size(); stride *= 2) {
    for (std::size_t i = 0; i + stride < at.size(); i += 2 * stride) {
      if (!is_present[i + stride]) continue;
      if (is_present[i])
        meet(at[i], at[i + stride]);
      else
        at[i] = at[i + stride];
      is_present[i] = true;
    }
  }
  return at[0];
}

}  // namespace

void accumulate(dtype type, reduce_op op, const std::vector<const std::byte*>& operands,
                std::byte* result, std::size_t elements) {
  assert(!operands.empty() && can_accumulate(type));
  const bool is_wide = is_widened(type);
  const std::size_t width = size_of(type);
  static thread_local std::vector<float> scratch;
  scratch.resize(operands.size() * block);
  const auto part = [](std::size_t leaf) { return scratch.data() + leaf * block; };
  std::vector<bool> is_present;
  for (const std::byte* each : operands) is_present.push_back(each != nullptr);
  for (std::size_t done = 0; done < elements; done += block) {
    const std::size_t count = std::min(block, elements - done);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i]) continue;
      const std::byte* from = operands[i] + done * width;
      if (is_wide)
        widen(type, from, part(i), count);
      else
        std::memcpy(part(i), from, count * width);
    }
    const std::size_t sum = fold(is_present, [&](std::size_t a, std::size_t b) {
      reduce(is_wide ? dtype::fp32 : type, op, part(a), part(b), count);
    });
    if (is_wide)
      narrow(type, part(sum), result + done * width, count);
    else
      std::memcpy(result + done * width, part(sum), count * width);
  }
}

}  // namespace heddle
