// Numbers the steps of a unit that sends: what its packets have in common, such as the transfer of
// a DMA engine or the wave of an in-switch accelerator. A label in waveforms, without effect.
#pragma once

#include <cstdint>

namespace heddle {

class step_counter {
 public:
  // From 1 on; after 65535 comes 1, because 0 stands for none.
  std::uint16_t next() {
    latest_ = static_cast<std::uint16_t>(latest_ == UINT16_MAX ? 1 : latest_ + 1);
    return latest_;
  }
  std::uint16_t latest() const { return latest_; }  // 0: there was none

 private:
  std::uint16_t latest_ = 0;
};

}  // namespace heddle
