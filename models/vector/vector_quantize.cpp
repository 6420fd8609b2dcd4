// Quantization and back: a block of elements against integers and scales.
#include <algorithm>

#include "models/vector/vector.hpp"
#include "platform/tensor/convert.hpp"

namespace heddle {

vector_unit::region vector_unit::elements_at(std::uint64_t base, const block& part) const {
  return {base + part.offset, part.bytes};
}

vector_unit::region vector_unit::quantized_at(std::uint64_t base, const block& part) const {
  const std::size_t width = size_of(type_);
  return {base + quantized_bytes(quant_, part.offset / width),
          static_cast<std::uint32_t>(quantized_bytes(quant_, part.bytes / width))};
}

vector_unit::region vector_unit::scales_at(const block& part) const {
  const std::size_t width = size_of(type_);
  return {regs_.scales.value() + scale_bytes(quant_, part.offset / width),
          static_cast<std::uint32_t>(scale_bytes(quant_, part.bytes / width))};
}

// Reads what the operation needs of the block and computes its result.
fs_t vector_unit::read_and_convert(block& next) {
  const auto read = [this](const region& from, payload_slice& into) {
    if (carries_data_) into = payload_slice::allocate(from.bytes);
    return access(tlm::TLM_READ_COMMAND, from.address, into, from.bytes);
  };
  const std::uint64_t source = regs_.source.value();
  const std::size_t elements = next.bytes / size_of(type_);
  payload_slice operand;
  if (work_ == work::quantize) {
    const fs_t taken = read(elements_at(source, next), operand);
    if (!carries_data_ || !is_ok_) return taken;
    next.result = payload_slice::allocate(quantized_at(0, next).bytes);
    next.scales = payload_slice::allocate(scales_at(next).bytes);
    quantize(quant_, type_, operand.data(), elements, next.result.data(), next.scales.data());
    return taken;
  }
  payload_slice scales;
  const fs_t data = read(quantized_at(source, next), operand);
  const fs_t taken = std::max(data, read(scales_at(next), scales));
  if (!carries_data_ || !is_ok_) return taken;
  std::vector<float> values(elements);
  dequantize(quant_, operand.data(), scales.data(), elements, values.data());
  next.result = payload_slice::allocate(next.bytes);
  narrow(type_, values.data(), next.result.data(), elements);
  return taken;
}

}  // namespace heddle
