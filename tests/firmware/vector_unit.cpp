#include "tests/firmware/vector_unit.hpp"

#include <stdexcept>
#include <utility>

#include "regs/vector_regs.h"

namespace heddle::test {

vector_unit::vector_unit(event_queue& events, timing& times, executor execute)
    : events_(events), times_(times), execute_(std::move(execute)) {}

std::uint64_t vector_unit::read(std::uint64_t offset) const {
  switch (offset) {
    case VECTOR_ELEMENTS:
      return operation_.elements;
    case VECTOR_OPERATION:
      return operation_.operation;
    case VECTOR_COMPLETED:
      return completed_;
    case VECTOR_MISSING:
      return missing_;
    case VECTOR_STATUS:
      return is_busy_ ? VECTOR_STATUS_STATE_BUSY : VECTOR_STATUS_STATE_IDLE;
    default:
      throw std::runtime_error("vector register is not readable: " + std::to_string(offset));
  }
}

void vector_unit::write(std::uint64_t offset, std::uint64_t value) {
  if (is_busy_) throw std::runtime_error("vector register written while busy");
  switch (offset) {
    case VECTOR_DESTINATION:
      operation_.destination = value;
      break;
    case VECTOR_SOURCE:
      operation_.source = value;
      break;
    case VECTOR_ELEMENTS:
      operation_.elements = static_cast<std::uint32_t>(value);
      break;
    case VECTOR_OPERATION:
      operation_.operation = static_cast<std::uint32_t>(value);
      break;
    case VECTOR_FLAG:
      operation_.flag = value;
      break;
    case VECTOR_START:
      start();
      break;
    default:
      throw std::runtime_error("vector register is not writable: " + std::to_string(offset));
  }
}

void vector_unit::start() {
  is_busy_ = true;
  events_.schedule(times_.reduce(operation_.elements), [this] {
    is_busy_ = false;
    ++completed_;
    missing_ = execute_(operation_);
  });
}

}  // namespace heddle::test
