#include "platform/firmware/firmware_core.hpp"

namespace heddle {

firmware_core* firmware_core::current_ = nullptr;

}  // namespace heddle
