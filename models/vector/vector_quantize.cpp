// Quantization and back: a block of elements against integers and scales.

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

// Reads what the operation needs of the block.
void vector_unit::read_quantized(block& next) {
  const auto read_region = [this, &next](const region& from, payload_slice& into) {
    if (carries_data_) into = payload_slice::allocate(from.bytes);
    read(next, from.address, into, from.bytes);
  };
  const std::uint64_t source = regs_.source.value();
  if (work_ == work::quantize) return read_region(elements_at(source, next), next.operand);
  read_region(quantized_at(source, next), next.operand);
  read_region(scales_at(next), next.scales);
}

void vector_unit::convert(block& next) {
  if (!carries_data_) return;
  const std::size_t elements = next.bytes / size_of(type_);
  if (work_ == work::quantize) {
    next.result = payload_slice::allocate(quantized_at(0, next).bytes);
    next.scales = payload_slice::allocate(scales_at(next).bytes);
    quantize(quant_, type_, next.operand.data(), elements, next.result.data(), next.scales.data());
    return;
  }
  std::vector<float> values(elements);
  dequantize(quant_, next.operand.data(), next.scales.data(), elements, values.data());
  next.result = payload_slice::allocate(next.bytes);
  narrow(type_, values.data(), next.result.data(), elements);
}

}  // namespace heddle
