#include "tests/firmware/multimem_unit.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "regs/multimem_regs.h"

namespace heddle::test {

std::uint64_t multimem_unit::read(std::uint64_t offset) const {
  switch (offset) {
    case MULTIMEM_COMPLETED:
      return completed_;
    case MULTIMEM_STATUS:
      return is_idle() ? MULTIMEM_STATUS_STATE_IDLE : MULTIMEM_STATUS_STATE_BUSY;
    default:
      throw std::runtime_error("multimem register is not readable: " + std::to_string(offset));
  }
}

void multimem_unit::write(std::uint64_t offset, std::uint64_t value) {
  if (!is_idle()) throw std::runtime_error("multimem register written while busy");
  switch (offset) {
    case MULTIMEM_SOURCE:
      source_ = value;
      break;
    case MULTIMEM_DESTINATION:
      destination_ = value;
      break;
    case MULTIMEM_BYTES:
      bytes_ = static_cast<std::uint32_t>(value);
      break;
    case MULTIMEM_OPERATION:
      operation_ = static_cast<std::uint32_t>(value);
      break;
    case MULTIMEM_START:
      start();
      break;
    default:
      throw std::runtime_error("multimem register is not writable: " + std::to_string(offset));
  }
}

dtype multimem_unit::type() const {
  return static_cast<dtype>((operation_ & MULTIMEM_OPERATION_DTYPE_MASK) >>
                            MULTIMEM_OPERATION_DTYPE_POS);
}

std::uint32_t multimem_unit::kind() const {
  return (operation_ & MULTIMEM_OPERATION_KIND_MASK) >> MULTIMEM_OPERATION_KIND_POS;
}

void multimem_unit::start() {
  const std::uint64_t element = size_of(type());
  if (bytes_ == 0 || bytes_ % element != 0) throw std::runtime_error("multimem length is wrong");
  const auto parts = times_.copy(events_.now(), rank_, bytes_ / element);
  missing_ = parts.size();
  for (const fragment& part : parts) {
    const std::uint64_t begin = part.offset * element, bytes = part.bytes * element;
    const std::uint64_t visible_after = part.visible_after - part.read_after;
    events_.schedule(part.read_after, [=] { load_part(begin, bytes, visible_after); });
  }
}

void multimem_unit::load_part(std::uint64_t begin, std::uint64_t bytes,
                              std::uint64_t visible_after) {
  const auto op = static_cast<reduce_op>((operation_ & MULTIMEM_OPERATION_OP_MASK) >>
                                         MULTIMEM_OPERATION_OP_POS);
  auto data = kind() == MULTIMEM_OPERATION_KIND_ST
                  ? bus_.load_own(source_ + begin, bytes)
                  : bus_.load_reduced(source_ + begin - region, bytes, type(), op);
  events_.schedule(visible_after,
                   [this, begin, part = std::move(data)] { store_part(begin, part); });
}

void multimem_unit::store_part(std::uint64_t begin, const std::vector<std::byte>& data) {
  if (kind() == MULTIMEM_OPERATION_KIND_LD_REDUCE) {
    bus_.store_own(destination_ + begin, data);
    return finish_part();
  }
  const auto left = std::make_shared<std::uint32_t>(bus_.members());
  for (std::uint32_t member = 0; member < bus_.members(); ++member)
    events_.schedule(times_.write(), [this, begin, data, left, member] {
      bus_.store_at(member, destination_ + begin - region, data);
      if (--*left == 0) finish_part();
    });
}

// The unit knows later that the last part is visible everywhere.
void multimem_unit::finish_part() {
  events_.schedule(times_.acknowledge(), [this] {
    if (--missing_ > 0) return;
    ++completed_;
    bus_.multimem_changed();
  });
}

}  // namespace heddle::test
